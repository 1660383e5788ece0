#include "canvas/rendering_view.hpp"

#include "base/error.hpp"
#include "canvas/component_highlight.hpp"
#include "canvas/gl_surface.hpp"
#include "gl/tone.hpp"
#include "theme/colours.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kSide = 260;        ///< logical px
constexpr int kRefineAfter = 150; ///< ms without a change
constexpr double kCoarseStep = 2; ///< sides of a block
constexpr int kFinestCoarse = 2;  ///< see RenderingView::raySide_
constexpr int kCoarsest = 16;
constexpr double kCoarseMilliseconds = 50;
constexpr double kFrameMilliseconds = 10; ///< of the 16 between two frames, for drawing
constexpr double kBandMilliseconds = 25;
constexpr std::uint64_t kUploadBytes = std::uint64_t{256} << 20; ///< for a paint
constexpr std::int64_t kUploadMilliseconds = 4;
constexpr std::uint64_t kSoftwareVoxels = std::uint64_t{1} << 24;
constexpr std::uint64_t kLeastVoxels = std::uint64_t{1} << 20; ///< with less there is no image
constexpr double kKeyTurn = 1.0 / 36;                          ///< of the shorter side of the view: 5 degrees
constexpr double kZoomStep = 1.25;
constexpr double kWheelStep = 120;    ///< eighths of a degree
const QColor kBack(0x15, 0x17, 0x1a); ///< in both themes

} // namespace

RenderingView::RenderingView(const ViewModels& models, QWidget* parent)
    : GlSurface(surfaceFormat(), parent), models_(models), frames_(*this, [] { return std::optional<double>(); }) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(kSide / 2, kSide / 2);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&frames_, &FrameSchedule::due, this, [this](bool draw) {
        onScreen_ = true;
        showFrame(draw);
        onScreen_ = false;
    });
    refine_.setSingleShot(true);
    refine_.setInterval(kRefineAfter);
    connect(&refine_, &QTimer::timeout, this, [this] { frames_.requestDrawing(); });
    click_.setSingleShot(true);
    connect(&click_, &QTimer::timeout, this, [this] {
        // Volume and tree may have changed since the click.
        if (const auto voxel = models_.rendering.voxelAt(clicked_, size())) {
            const auto node = models_.rendering.nodeAt(clicked_, size());
            models_.orthogonal.setPosition(*voxel);
            models_.chain.toggleHold(node);
        }
    });
    using Rendering = vm::RenderingViewModel;
    connect(&models_.rendering, &Rendering::changed, this, &RenderingView::takeVolume);
    connect(&models_.rendering, &Rendering::viewChanged, this, &RenderingView::changed);
    connect(&models_.chain, &vm::ChainViewModel::currentChanged, this, &RenderingView::changed);
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::positionChanged, this, &RenderingView::changed);
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::windowChanged, &Display::toneCurveChanged, &Display::marksChanged,
                              &Display::imageChanged, &Display::splitChanged}) {
        connect(&models_.display, signal, this, &RenderingView::changed);
    }
    connect(&models_.display.compare(), &vm::CompareViewModel::turnChanged, this, &RenderingView::changed);
    connect(&models_.display, &Display::colourMapChanged, this, [this] {
        hasColours_ = false;
        changed();
    });
    takeVolume();
}

RenderingView::~RenderingView() {
    if (isReady_) {
        freeTextures();
        makeCurrent();
        colours_.destroy();
        opacities_.destroy();
        painter_.destroy();
        coarse_.reset();
        doneCurrent();
    }
}

QSize RenderingView::sizeHint() const { return {kSide, kSide}; }

QList<RenderingView*> RenderingView::others() {
    const QWidget* top = window();
    while (top->parentWidget() != nullptr) { // from a floating panel
        top = top->parentWidget()->window();
    }
    QList<RenderingView*> found = top->findChildren<RenderingView*>();
    found.removeAll(this);
    return found;
}

void RenderingView::freeTextures() {
    if (isReady_ && makeCurrent()) {
        for (VolumeTexture* texture : {&before_, &after_, &nodes_}) {
            texture->destroy();
        }
        doneCurrent();
    }
}

void RenderingView::takeVolume() {
    const vm::RenderedVolume& volume = models_.rendering.volume();
    before_.setLevels(volume.before);
    after_.setLevels(volume.after);
    if (!volume.nodes) {
        nodes_.setNumbers(nullptr, {});
    }
    if (!volume.before && isReady_) { // at once: there is no paint while no volume is open
        makeCurrent();
        load(true);
        doneCurrent();
    }
    changed();
}

void RenderingView::startAgain() {
    isCoarse_ = true;
    complete_ = false;
    if (isSlow_) {
        refine_.start();
    }
}

void RenderingView::changed() {
    startAgain();
    frames_.requestDrawing();
}

void RenderingView::initializeGL() {
    try {
        auto* gl = context()->functions();
        const bool isSoftware =
            drawsInSoftware(QString::fromLatin1(reinterpret_cast<const char*>(gl->glGetString(GL_RENDERER))));
        GLint longest = 0;
        gl->glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &longest);
        vm::RenderingViewModel::Capacity capacity = models_.rendering.capacity();
        capacity.longest = static_cast<std::uint32_t>(std::max(longest, 1));
        capacity.voxels = isSoftware ? kSoftwareVoxels : capacity.voxels;
        QMetaObject::invokeMethod( // not in a paint event
            this, [this, capacity] { models_.rendering.setCapacity(capacity); }, Qt::QueuedConnection);
        isSlow_ = isSoftware;
        painter_.setup();
        isReady_ = true;
    } catch (const std::exception& error) {
        failGl(QString::fromUtf8(error.what()));
    }
}

void RenderingView::failGl(const QString& reason) {
    isReady_ = false;
    QMetaObject::invokeMethod(
        this,
        [this, reason] {
            problem_ = reason;
            emit problemChanged();
        },
        Qt::QueuedConnection);
}

bool RenderingView::showsResult() const { return models_.display.wantsResult() && after_.hasTexture(); }

void RenderingView::load(bool all) {
    const vm::RenderedVolume& volume = models_.rendering.volume();
    if (models_.chain.node() && volume.nodes) {
        nodes_.setNumbers(volume.nodes, volume.before->extent()); // from the first component on
    }
    UploadAllowance allowance = all ? UploadAllowance::unlimited() : UploadAllowance(kUploadBytes, kUploadMilliseconds);
    try {
        for (VolumeTexture* texture : {&before_, &after_, &nodes_}) {
            texture->load(allowance);
        }
    } catch (const Error& error) {
        vm::RenderingViewModel::Capacity capacity = models_.rendering.capacity();
        capacity.voxels = std::min<std::uint64_t>(capacity.voxels, volume.before->pixelCount()) / 2;
        if (capacity.voxels < kLeastVoxels) {
            failGl(QString::fromUtf8(error.what()));
            return;
        }
        QMetaObject::invokeMethod( // not in a paint event
            this, [this, capacity] { models_.rendering.setCapacity(capacity); }, Qt::QueuedConnection);
    }
}

VolumePainter::View RenderingView::viewOf(QSize viewport) const {
    const vm::RenderingViewModel& rendering = models_.rendering;
    const vm::DisplayViewModel& display = models_.display;
    VolumePainter::View view;
    view.camera = rendering.camera();
    view.blocks = rendering.volume().blocks;
    view.viewport = viewport;
    const bool twin = showsResult();
    view.tone = toneOf(display, rendering.volume().spec.output, twin);
    view.tone.difference = Tone::Difference::none;
    view.split = !twin ? viewport.width() : display.isSplitEnabled() ? display.splitPosition() * viewport.width() : 0;
    view.colourMap = colours_.texture();
    view.rendering = rendering.rendering();
    view.opacity = rendering.opacity();
    view.hasShading = rendering.hasShading();
    view.curve = rendering.curveLevels();
    view.opacities = opacities_.texture();
    view.curveFitsResult = rendering.curveFitsResult();
    if (const auto window = rendering.curveWindow()) {
        view.tone.before = *window;
        view.tone.after = view.curveFitsResult ? *window : view.tone.after;
        view.tone.curve = vm::ToneCurve::linear;
        view.tone.marksBefore = view.tone.marksAfter = false;
    }
    view.isDarkOpaque = rendering.isDarkOpaque();
    const auto node = models_.chain.node();
    if (node && nodes_.hasTexture() && nodes_.isComplete() && *node < rendering.volume().tree->nodeCount()) {
        view.firstLit = *node;
        view.litNodes = rendering.volume().tree->subtreeEnd[*node] - *node;
    }
    view.light = QColor(ComponentHighlight::kColour);
    view.back = kBack;
    return view;
}

std::vector<VolumePainter::Line> RenderingView::linesOf(QSize viewport) const {
    const vm::VolumeCamera& camera = models_.rendering.camera();
    const QSizeF size(viewport);
    const QVector3D box(static_cast<float>(camera.extent.width), static_cast<float>(camera.extent.height),
                        static_cast<float>(camera.extent.slices));
    std::vector<VolumePainter::Line> lines;
    const auto add = [&](const QVector3D& a, const QVector3D& b, const QColor& colour) {
        lines.push_back({QLineF(camera.toView(a, size), camera.toView(b, size)), colour});
    };
    const QVector3D far = camera.farCorner();
    for (int axis = 0; axis < 3; ++axis) {
        const int second = (axis + 1) % 3;
        const int third = (axis + 2) % 3;
        for (int corner = 0; corner < 4; ++corner) {
            QVector3D from;
            from[second] = static_cast<float>(corner & 1);
            from[third] = static_cast<float>(corner >> 1);
            QVector3D to = from;
            to[axis] = 1;
            const bool isBehind = from[second] == far[second] && from[third] == far[third];
            add(from * box, to * box, QColor(128, 128, 128, isBehind ? 70 : 200));
        }
    }
    const auto outline = [&](int axis, std::uint32_t at, const QColor& colour) {
        constexpr float kMiddle = 0.5F;
        const int second = (axis + 1) % 3;
        const int third = (axis + 2) % 3;
        std::array<QVector3D, 4> corners;
        for (int i = 0; i < 4; ++i) {
            QVector3D& corner = corners[static_cast<std::size_t>(i)];
            corner[axis] = static_cast<float>(at) + kMiddle;
            corner[second] = i == 1 || i == 2 ? box[second] : 0;
            corner[third] = i >= 2 ? box[third] : 0;
        }
        for (std::size_t i = 0; i < 4; ++i) {
            add(corners[i], corners[(i + 1) % 4], colour);
        }
    };
    const Voxel at = models_.orthogonal.position();
    outline(2, at.z, axisColour(VolumeAxis::z));
    if (models_.orthogonal.isActive()) {
        outline(1, at.y, axisColour(VolumeAxis::y));
        outline(0, at.x, axisColour(VolumeAxis::x));
    }
    if (showsResult() && models_.display.isSplitEnabled()) {
        const double x = std::floor(models_.display.splitPosition() * viewport.width()) + 0.5;
        lines.push_back({QLineF(x, 0, x, viewport.height()), palette().color(QPalette::Highlight)});
    }
    return lines;
}

void RenderingView::draw(QSize viewport, double stepLength) {
    VolumePainter::View view = viewOf(viewport);
    view.stepLength = stepLength;
    QElapsedTimer timer;
    timer.start();
    painter_.render(before_, after_.hasTexture() ? after_ : before_, nodes_, view);
    context()->functions()->glFinish();
    drawMilliseconds_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void RenderingView::drawLines(QSize viewport) {
    const auto lines = linesOf(viewport);
    painter_.renderLines(lines, viewport);
}

void RenderingView::drawCoarsely(QSize viewport) {
    auto* gl = context()->extraFunctions();
    const QSize small((viewport.width() + raySide_ - 1) / raySide_, (viewport.height() + raySide_ - 1) / raySide_);
    if (!coarse_ || coarse_->size() != small) {
        coarse_.reset();
        coarse_ = std::make_unique<QOpenGLFramebufferObject>(small);
    }
    if (!coarse_->isValid() || !coarse_->bind()) {
        coarse_.reset();
        return;
    }
    gl->glViewport(0, 0, small.width(), small.height());
    draw(small, kCoarseStep);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, coarse_->handle());
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frameBuffer());
    gl->glBlitFramebuffer(0, 0, small.width(), small.height(), 0, 0, viewport.width(), viewport.height(),
                          GL_COLOR_BUFFER_BIT, GL_LINEAR);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, frameBuffer());
    gl->glViewport(0, 0, viewport.width(), viewport.height());
    const double fine = drawMilliseconds_ * raySide_ * raySide_ * kCoarseStep;
    isSlow_ = fine > kFrameMilliseconds / 2;
    raySide_ = drawMilliseconds_ > kCoarseMilliseconds       ? std::min(kCoarsest, raySide_ * 2)
               : 8 * drawMilliseconds_ < kCoarseMilliseconds ? std::max(kFinestCoarse, raySide_ / 2)
                                                             : raySide_;
    row_ = 0;
}

void RenderingView::drawBand(QSize viewport) {
    auto* gl = context()->functions();
    const int rows = std::min(rowsAtOnce_, viewport.height() - row_);
    gl->glEnable(GL_SCISSOR_TEST);
    gl->glScissor(0, viewport.height() - row_ - rows, viewport.width(), rows);
    draw(viewport, 1);
    drawLines(viewport);
    gl->glDisable(GL_SCISSOR_TEST);
    row_ += rows;
    rowsAtOnce_ = drawMilliseconds_ > kBandMilliseconds ? std::max(1, rowsAtOnce_ / 2) : std::min(512, rowsAtOnce_ * 2);
    if (row_ < viewport.height()) {
        frames_.requestDrawing();
    }
}

void RenderingView::paintGL() {
    auto* gl = context()->functions();
    const QSize size = frameSize();
    const bool isForScreen = onScreen_;
    if (isReady_) {
        load(!isForScreen);
    }
    if (!isReady_ || !before_.hasTexture()) {
        gl->glClearColor(static_cast<float>(kBack.redF()), static_cast<float>(kBack.greenF()),
                         static_cast<float>(kBack.blueF()), 1.0F);
        gl->glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    if (!std::exchange(hasColours_, true)) {
        colours_.load(colourStops(models_.display.colourMap()));
    }
    if (const vm::OpacityCurve& curve = models_.rendering.curve(); !(curve == curve_)) {
        curve_ = curve;
        std::vector<QColor> greys;
        for (const float opacity : curve.table()) {
            greys.push_back(QColor::fromRgbF(opacity, opacity, opacity));
        }
        opacities_.load(greys);
    }
    const bool isLoaded = before_.isComplete() && after_.isComplete() && nodes_.isComplete();
    if (!isLoaded) {
        isCoarse_ = true;
        frames_.requestDrawing(); // for the missing slices
    }
    if (!isSlow_ || !isForScreen) {
        draw(size, 1);
        drawLines(size);
        isSlow_ = isSlow_ || drawMilliseconds_ > kFrameMilliseconds;
        if (row_ < size.height()) { // better than the screen, which shows less
            row_ = size.height();
            frames_.requestShowing();
        }
        isCoarse_ = !isLoaded;
    } else if (std::exchange(isCoarse_, !isLoaded)) {
        drawCoarsely(size);
        drawLines(size);
    } else if (row_ < size.height() && !refine_.isActive()) {
        drawBand(size);
    }
    complete_ = isLoaded && !isCoarse_ && row_ >= size.height();
}

void RenderingView::showEvent(QShowEvent* event) {
    frames_.followWindow();
    GlSurface::showEvent(event);
    for (RenderingView* other : others()) {
        if (!other->isVisible()) {
            other->freeTextures();
        }
    }
    changed();
}

void RenderingView::hideEvent(QHideEvent* event) {
    GlSurface::hideEvent(event);
    if (std::ranges::any_of(others(), &RenderingView::isVisible)) {
        freeTextures();
    }
}

void RenderingView::resizeEvent(QResizeEvent* event) {
    GlSurface::resizeEvent(event);
    changed();
}

void RenderingView::changeEvent(QEvent* event) {
    GlSurface::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        changed();
    }
}

bool RenderingView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // the keys of keyPressEvent() are shortcuts of the window, too
        const auto* key = static_cast<QKeyEvent*>(event);
        constexpr std::array kKeys{Qt::Key_Plus, Qt::Key_Equal, Qt::Key_Minus, Qt::Key_Home};
        const bool releasesChain = key->key() == Qt::Key_Escape && models_.chain.isHeld();
        const bool isKey = releasesChain || std::ranges::find(kKeys, key->key()) != kKeys.end();
        if (isKey && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return GlSurface::event(event);
}

void RenderingView::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    pressed_ = last_;
    isDragged_ = false;
}

void RenderingView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    constexpr Qt::MouseButtons kDrags = Qt::LeftButton | Qt::MiddleButton;
    if ((event->buttons() & kDrags) == 0) {
        models_.chain.hoverNode(models_.rendering.nodeAt(at, size()));
        return;
    }
    isDragged_ = isDragged_ || (pressed_ && (at - *pressed_).manhattanLength() >= QApplication::startDragDistance());
    if (!isDragged_) {
        return;
    }
    const QPointF drag = at - std::exchange(last_, at);
    const bool moves = event->buttons().testFlag(Qt::MiddleButton) || event->modifiers().testFlag(Qt::ShiftModifier);
    const vm::VolumeCamera& camera = models_.rendering.camera();
    models_.rendering.setCamera(moves ? camera.moved(drag, size()) : camera.turned(drag, size()));
}

void RenderingView::mouseReleaseEvent(QMouseEvent* event) {
    const bool isClick = event->button() == Qt::LeftButton && pressed_ && !isDragged_;
    pressed_.reset();
    if (isClick) {
        clicked_ = event->position();
        click_.start(QApplication::doubleClickInterval());
    }
}

void RenderingView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        click_.stop();
        pressed_.reset();
        isDragged_ = false;
        emit doubleClicked();
    }
}

void RenderingView::leaveEvent(QEvent*) { models_.chain.leave(); }

void RenderingView::wheelEvent(QWheelEvent* event) {
    const double factor = std::pow(kZoomStep, event->angleDelta().y() / kWheelStep);
    models_.rendering.setCamera(models_.rendering.camera().zoomedAbout(event->position(), factor, size()));
    event->accept();
}

void RenderingView::keyPressEvent(QKeyEvent* event) {
    const vm::VolumeCamera& camera = models_.rendering.camera();
    const double by = std::min(width(), height()) * kKeyTurn;
    const QPointF middle(width() / 2.0, height() / 2.0);
    const auto turn = [&](double right, double down) {
        models_.rendering.setCamera(camera.turned(QPointF(right, down) * by, size()));
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return turn(-1, 0);
    case Qt::Key_Right:
        return turn(1, 0);
    case Qt::Key_Up:
        return turn(0, -1);
    case Qt::Key_Down:
        return turn(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return models_.rendering.setCamera(camera.zoomedAbout(middle, kZoomStep, size()));
    case Qt::Key_Minus:
        return models_.rendering.setCamera(camera.zoomedAbout(middle, 1 / kZoomStep, size()));
    case Qt::Key_Home:
        return models_.rendering.lookFromTheFront();
    case Qt::Key_Escape:
        return models_.chain.isHeld() ? models_.chain.letGo() : GlSurface::keyPressEvent(event);
    default:
        GlSurface::keyPressEvent(event);
    }
}

} // namespace pollard::app

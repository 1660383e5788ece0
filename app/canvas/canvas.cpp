#include "canvas/canvas.hpp"

#include "canvas/tone_of.hpp"
#include "theme/colour_stops.hpp"

#include "base/error.hpp"

#include <QElapsedTimer>
#include <QEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPalette>
#include <QSurfaceFormat>

#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

/// Fetches per axis for a shrunk picture with software rendering, where 64 fetches per pixel take about a second for a
/// full screen.
constexpr int kSoftwareSamples = 4;
/// The same for frames that are probably replaced soon, and the delay in ms before the fine frame.
constexpr int kCoarseSamples = 2;
constexpr int kRefineAfter = 120;
/// Limits of the tiles that one paint copies to the graphics card: bytes (about 2 ms) and milliseconds; the rest
/// follows with the next paint. Larger after a change of the picture, so that a drag of a threshold does not flicker
/// between coarse and fine.
constexpr std::uint64_t kUploadsPerPaint = std::uint64_t{8} << 20;
constexpr std::int64_t kUploadMillisecondsPerPaint = 3;
constexpr std::uint64_t kUploadsOfChange = std::uint64_t{32} << 20;
constexpr std::int64_t kUploadMillisecondsOfChange = 10;

/// Side of a square of the checkerboard where a picture has no data, logical px.
constexpr double kCheckerSide = 8;

bool drawsInSoftware(const QString& renderer) {
    return renderer.contains(QLatin1String("llvmpipe")) || renderer.contains(QLatin1String("softpipe")) ||
           renderer.contains(QLatin1String("SwiftShader")) || renderer.contains(QLatin1String("GDI Generic"));
}

QSurfaceFormat canvasFormat() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(0);
    format.setStencilBufferSize(0);
    return format;
}

} // namespace

Canvas::Canvas(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::PresentationViewModel& presentation,
               QWidget* parent)
    : GlSurface(canvasFormat(), parent), document_(document), display_(display), presentation_(presentation) {
    setObjectName(QStringLiteral("canvas"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Picture"));
    setAccessibleDescription(tr("The picture and its filtered version. Arrow keys move it, plus and minus zoom, "
                                "F fits it into the window, 1 shows it pixel by pixel."));

    connect(&document_, &vm::DocumentViewModel::documentChanged, this, &Canvas::takeImage);
    connect(&document_, &vm::DocumentViewModel::frameReady, this, &Canvas::takeResult);
    connect(this, &GlSurface::frameSwapped, this, &Canvas::reportSwap);
    connect(&display_, &vm::DisplayViewModel::viewChanged, this, [this] {
        tellPointer(); // the pixel under the pointer may have changed
        repaintView();
    });
    connect(&display_, &vm::DisplayViewModel::windowChanged, this, &Canvas::repaintView);
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::splitChanged, &Display::pictureChanged, &Display::smoothChanged,
                              &Display::toneCurveChanged, &Display::marksChanged}) {
        connect(&display_, signal, this, &Canvas::repaintView);
    }
    connect(&display_.compare(), &vm::CompareViewModel::turnChanged, this, &Canvas::repaintView);
    connect(&display_.compare(), &vm::CompareViewModel::differenceChanged, this, &Canvas::repaintView);
    connect(&display_, &vm::DisplayViewModel::colourMapChanged, this, [this] {
        coloursDirty_ = true;
        repaintView();
    });
    refine_.setSingleShot(true);
    refine_.setInterval(kRefineAfter);
    connect(&refine_, &QTimer::timeout, this, [this] {
        fine_ = true;
        isSame_ = false;
        wantFrame();
    });
    patience_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, [this] {
        isPatienceOver_ = true;
        giveFrame();
    });
    takeImage();
}

Canvas::~Canvas() {
    releaseGl();
    giveFrame();
}

void Canvas::takeImage() {
    image_ = document_.image();
    imagePyramid_ = document_.imagePyramid();
    if (!image_) {
        // Frees memory immediately: there is no paint while no file is open.
        imageTiles_.setPicture(nullptr);
        resultTiles_.setPicture(nullptr);
    }
    imageDirty_ = true;
    tellPointer();
    takeResult();
}

void Canvas::takeResult() {
    result_ = document_.result();
    resultPyramid_ = document_.resultPyramid();
    deviceFrame_ = document_.deviceFrame();
    resultEngine_ = document_.resultEngine();
    resultSpec_ = document_.resultSpec();
    // While a document changes, the result may belong to the previous picture.
    if (hasResult() && !isOfImage(result_, deviceFrame_)) {
        result_.reset();
        resultPyramid_.reset();
        deviceFrame_.reset();
    }
    isPatienceOver_ = false;
    resultDirty_ = true;
    repaintView();
}

bool Canvas::isOfImage(const std::shared_ptr<const Image>& result,
                       const std::shared_ptr<const DeviceFrame>& frame) const {
    const auto fits = [&](const auto& picture) {
        return picture.type() == image_->type() && picture.width() == image_->width() &&
               picture.height() == image_->height();
    };
    return image_ && (!result || fits(*result)) && (!frame || fits(*frame));
}

void Canvas::setLargestTexture(int side) {
    largestTexture_ = std::max(side, 1);
    store_.setSide(side);
    light_.numbers().setSide(side);
    imageDirty_ = true;
    resultDirty_ = true;
    repaintView();
}

void Canvas::initializeGL() {
    try {
        const QSurfaceFormat got = context()->format();
        if (got.version() < qMakePair(3, 3)) {
            throw Error(ErrorCode::deviceFailed, "start the canvas: OpenGL 3.3 is needed, the driver offers " +
                                                     std::to_string(got.majorVersion()) + "." +
                                                     std::to_string(got.minorVersion()));
        }
        const auto* renderer = reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER));
        renderer_ = QString::fromLatin1(renderer);
        software_ = drawsInSoftware(renderer_);
        samplesLimit_ = software_ ? kSoftwareSamples : 8;
        imagePainter_.setup();
        splitPainter_.setup();
        light_.setup();
        ready_ = true;
        isSame_ = false;
        imageDirty_ = resultDirty_ = coloursDirty_ = true;
    } catch (const Error& error) {
        fail(QString::fromUtf8(error.what()));
    }
}

void Canvas::releaseGl() {
    if (!ready_) {
        return;
    }
    ready_ = false;
    makeCurrent();
    store_.destroy();
    resultTexture_.destroy();
    imagePainter_.destroy();
    splitPainter_.destroy();
    light_.destroy();
    doneCurrent();
}

void Canvas::fail(const QString& message) {
    if (!failed_) {
        failed_ = true;
        // Queued, not in a paint event: the receiver removes the canvas from the window.
        QMetaObject::invokeMethod(
            this, [this, message] { emit failed(message); }, Qt::QueuedConnection);
    }
}

void Canvas::failGl(const QString& reason) { fail(reason); }

void Canvas::uploadWhatChanged() {
    if (coloursDirty_) {
        imagePainter_.uploadColourMap(colourStops(display_.colourMap()));
        coloursDirty_ = false;
    }
    if (imageDirty_) {
        imageTiles_.setPicture(imagePyramid_ ? imagePyramid_ : std::make_shared<const Pyramid>(image_));
        imageDirty_ = false;
        pictureChanged_ = true;
    }
    if (resultDirty_ && hasResult()) {
        showResult();
        resultDirty_ = false;
        pictureChanged_ = true;
    }
}

void Canvas::showResult() {
    resultTexture_.setMode(presentation_.mode());
    resultTexture_.show({deviceFrame_.get(), resultEngine_}, largestTexture_);
    const bool byDevice = resultTexture_.path() == vm::DisplayPath::interop;
    if (byDevice) {
        resultTiles_.setPicture(nullptr);
    } else if (result_) { // else wait for the result with pyramid, requested below
        resultTiles_.setPicture(resultPyramid_ ? resultPyramid_ : std::make_shared<const Pyramid>(result_));
    }
    QMetaObject::invokeMethod(
        this, [this, byDevice] { document_.setResultPyramidWanted(!byDevice); }, Qt::QueuedConnection);
    QString reason = resultTexture_.reason();
    if (resultTexture_.path() == vm::DisplayPath::copy) {
        reason += u'\n' + tr("OpenGL: %1").arg(renderer_);
    }
    if (resultTexture_.path() == presentation_.path() && reason == presentation_.reason()) {
        return;
    }
    // Queued: changes of the layout are not allowed in a paint event.
    QMetaObject::invokeMethod(
        this, [this, path = resultTexture_.path(), reason] { presentation_.reportPath(path, reason); },
        Qt::QueuedConnection);
}

void Canvas::reportSwap() {
    if (!painted_) {
        return;
    }
    if (presentation_.isExact()) {
        makeCurrent();
        context()->functions()->glFinish();
        doneCurrent();
    }
    presentation_.reportFrame(*std::exchange(painted_, std::nullopt));
}

void Canvas::paintGL() {
    QElapsedTimer timer;
    timer.start();
    auto* gl = context()->functions();
    const QColor back =
        palette().color(QPalette::Window).lightness() < 128 ? QColor(0x15, 0x17, 0x1a) : QColor(0xdc, 0xdf, 0xe3);
    gl->glClearColor(static_cast<float>(back.redF()), static_cast<float>(back.greenF()),
                     static_cast<float>(back.blueF()), 1.0F);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    drawn_ = fine_;
    ++paints_;
    if (!ready_ || failed_ || !image_) {
        return;
    }
    const Part part = shownPart();
    try {
        const bool isSame = std::exchange(isSame_, true);
        loadLight(part, isSame);
        const ComponentLight::View view{part.size, part.origin, part.scale};
        if (!isSame || !light_.picture().restore(frameBuffer(), part.size)) {
            paintPicture(part);
            paintSelection(view);
            light_.picture().forget();
            if (isSame && drawn_ && light_.numbers().isPossible()) {
                light_.picture().keep(frameBuffer(), part.size);
            }
        }
        if (lights_) {
            light_.render(view);
        }
    } catch (const Error& error) {
        fail(QString::fromUtf8(error.what()));
        return;
    }
    if (hasTwin()) {
        painted_ = resultSpec_;
    }
    paintMilliseconds_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void Canvas::paintPicture(const Part& part) {
    uploadWhatChanged();
    const bool changed = std::exchange(pictureChanged_, false);
    complete_ = renderPictures(part, fine_ ? samplesLimit_ : kCoarseSamples,
                               changed ? UploadAllowance(kUploadsOfChange, kUploadMillisecondsOfChange)
                                       : UploadAllowance(kUploadsPerPaint, kUploadMillisecondsPerPaint));
    if (!complete_) {
        drawn_ = false;
        wantFrame(); // for the missing tiles
    }
    if (display_.isSplitEnabled()) {
        splitPainter_.render(splitLine(), part.size, devicePixelRatioF(), palette().color(QPalette::Highlight));
    }
}

void Canvas::loadLight(const Part& part, bool isSame) {
    const QRectF seen(-part.origin / part.scale, QSizeF(part.size) / part.scale);
    NodeTexture& numbers = light_.numbers();
    if (isSame) { // while the picture changes, a paint copies tiles instead
        light_.load(seen);
    }
    if (numbers.isPossible() && !numbers.isComplete()) {
        drawn_ = false;
        wantFrame(); // for the missing numbers
    }
    reportNumbers();
    const bool lights =
        numbers.layers().picture == QSize(static_cast<int>(image_->width()), static_cast<int>(image_->height())) &&
        numbers.holds(seen);
    if (lights != std::exchange(lights_, lights)) {
        light_.picture().forget(); // the copy differs in the selection
        QMetaObject::invokeMethod(this, &Canvas::lightsChanged, Qt::QueuedConnection);
    }
}

void Canvas::paintSelection(const ComponentLight::View& view) {
    if (!lights_) {
        return;
    }
    const bool selects = light_.renderSelection(view);
    if (selects != std::exchange(selects_, selects)) {
        QMetaObject::invokeMethod(this, &Canvas::lightsChanged, Qt::QueuedConnection);
    }
}

void Canvas::reportNumbers() {
    const vm::NumbersTransfer& transfer = light_.numbers().transfer();
    vm::NumbersTransfer numbers = transfer.path == vm::DisplayPath::none ? vm::NumbersTransfer{} : transfer;
    if (numbers == numbersTold_) {
        return;
    }
    numbersTold_ = std::move(numbers);
    // Queued: changes of the layout are not allowed in a paint event.
    QMetaObject::invokeMethod(
        this, [this, told = numbersTold_] { presentation_.reportNumbers(told); }, Qt::QueuedConnection);
}

void Canvas::setTree(const std::shared_ptr<const ComponentTree>& tree) {
    if (tree == light_.numbers().tree()) {
        return;
    }
    NodeTexture::Source source;
    if (tree && tree == document_.tree() && presentation_.mode() != vm::DisplayMode::copy) {
        source = {document_.deviceNodes(), document_.treeEngine()};
    }
    light_.setTree(tree, std::move(source));
    light_.setComponent(std::nullopt);
    if (!tree && ready_) { // immediately: there is no paint while no file is open
        makeCurrent();
        light_.load({});
        doneCurrent();
    }
    drawn_ = false;
    isSame_ = false;
    wantFrame();
    if (std::exchange(lights_, false)) {
        emit lightsChanged();
    }
}

void Canvas::light(std::optional<std::uint32_t> node) {
    if (light_.setComponent(node) && light_.numbers().isPossible()) {
        drawn_ = false;
        wantFrame();
    }
}

void Canvas::select(NodeBitsTexture::Bits bits, const ComponentLight::Colours& colours) {
    if (bits != light_.selection().bits()) {
        light_.setSelection(std::move(bits), colours);
        drawn_ = false;
        isSame_ = false;
        wantFrame();
    }
}

void Canvas::paintInto(const Part& part) {
    if (!ready_ || failed_ || !image_) {
        return;
    }
    uploadWhatChanged();
    context()->functions()->glViewport(0, 0, part.size.width(), part.size.height());
    renderPictures(part, samplesLimit_, UploadAllowance::unlimited());
}

bool Canvas::renderPictures(const Part& part, int samplesLimit, UploadAllowance allowance) {
    const bool twin = hasTwin();
    // The split line keeps its position in the picture if @p part differs from the part on the screen.
    const Part shown = shownPart();
    ImagePainter::View view;
    view.viewport = part.size;
    view.origin = part.origin;
    view.scale = part.scale;
    view.split =
        display_.isSplitEnabled() ? part.origin.x() + (splitLine() - shown.origin.x()) / shown.scale * part.scale : 0.0;
    view.tone = toneOf(display_, document_.resultSpec().output, twin);
    view.tone.checker = kCheckerSide * devicePixelRatioF();
    view.smooth = display_.isSmooth();
    view.samplesLimit = samplesLimit;

    const PictureTiles::View seen{part.size, part.origin, part.scale};
    const bool needsBefore = !twin || display_.isSplitEnabled() || view.tone.difference != Tone::Difference::none;
    store_.begin();
    PictureTiles::Selection after;
    if (twin && resultTiles_.isEmpty()) {
        after.tiles = resultTexture_.tiles();
    } else if (twin) {
        after = resultTiles_.select(seen, allowance);
    }
    PictureTiles::Selection before;
    if (needsBefore) {
        before = imageTiles_.select(seen, allowance);
    }
    store_.end();
    imagePainter_.render(needsBefore ? before.tiles : after.tiles, twin ? after.tiles : before.tiles, view);
    return before.isComplete && after.isComplete;
}

Canvas::Part Canvas::shownPart() const { return {display_.view().viewSize.toSize(), origin(), display_.zoom()}; }

double Canvas::splitLine() const {
    return display_.isSplitEnabled() ? std::round(display_.splitPosition() * display_.view().viewSize.width()) : 0.0;
}

bool Canvas::hasTwin() const { return hasResult() && display_.wantsResult(); }

QPointF Canvas::origin() const {
    const QPointF corner = display_.view().toView({0, 0});
    return {std::round(corner.x()), std::round(corner.y())};
}

void Canvas::tellViewSize() {
    const double ratio = devicePixelRatioF();
    display_.setViewSize(QSizeF(std::round(width() * ratio), std::round(height() * ratio)));
}

void Canvas::resizeEvent(QResizeEvent* event) {
    tellViewSize();
    GlSurface::resizeEvent(event);
    drawn_ = false;
    isSame_ = false;
    wantFrame();
}

void Canvas::showEvent(QShowEvent* event) {
    tellViewSize(); // the pixel ratio of the screen is unknown until now
    followWindow();
    GlSurface::showEvent(event);
    wantFrame();
}

void Canvas::changeEvent(QEvent* event) {
    GlSurface::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        repaintView();
    }
}

void Canvas::repaintView() {
    drawn_ = false;
    isSame_ = false;
    if (software_ && display_.zoom() < 1.0) {
        fine_ = false;
        refine_.start();
    }
    wantFrame();
}

} // namespace pollard::app

#include "canvas/canvas.hpp"

#include "base/error.hpp"
#include "canvas/gl_surface.hpp"

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPalette>

#include <algorithm>
#include <limits>
#include <utility>

namespace pollard::app {
namespace {

/// Maximum numbers of fetches per axis for a shrunk image: on a graphics card; with software rendering, which takes
/// about a second for a full screen with 64 fetches per pixel; and with software rendering for frames that are
/// probably replaced soon. The last is the delay in ms before the fine frame.
constexpr int kSamples = 8;
constexpr int kSoftwareSamples = 4;
constexpr int kCoarseSamples = 2;
constexpr int kRefineAfter = 120;

/// Expected time of the running filter: the time of its last result; nothing if no filter runs.
std::optional<double> expectedMilliseconds(const vm::DocumentViewModel& document) {
    if (!document.activity().isFiltering()) {
        return std::nullopt;
    }
    return document.hasResult() ? document.shown().frame.report.milliseconds : std::numeric_limits<double>::infinity();
}

} // namespace

ImageSurface::ImageSurface(vm::DisplayViewModel& display, FrameSchedule::ExpectedTime expectedTime, QWidget* parent)
    : GlSurface(surfaceFormat(), parent), images_(display), frames_(*this, std::move(expectedTime)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&frames_, &FrameSchedule::due, this, &ImageSurface::showFrame);
    using Display = vm::DisplayViewModel;
    for (const auto signal :
         {&Display::viewChanged, &Display::windowChanged, &Display::splitChanged, &Display::imageChanged,
          &Display::smoothChanged, &Display::toneCurveChanged, &Display::marksChanged}) {
        connect(&display, signal, this, &ImageSurface::repaintView);
    }
    connect(&display.compare(), &vm::CompareViewModel::turnChanged, this, &ImageSurface::repaintView);
    connect(&display.compare(), &vm::CompareViewModel::differenceChanged, this, &ImageSurface::repaintView);
    connect(&display, &Display::colourMapChanged, this, [this] {
        images_.takeColours();
        repaintView();
    });
    refine_.setSingleShot(true);
    refine_.setInterval(kRefineAfter);
    connect(&refine_, &QTimer::timeout, this, [this] { changed(Change::image); });
}

ImageSurface::~ImageSurface() {
    if (isSetUp()) {
        makeCurrent();
        images_.destroy();
        light_.destroy();
        doneCurrent();
    }
}

void ImageSurface::take(const vm::ShownSlice& shown) {
    images_.take(shown);
    light_.setPlane(shown.plane());
    frames_.takeResult();
    repaintView();
}

void ImageSurface::takeChannels() {
    images_.takeChannels();
    repaintView();
}

void ImageSurface::setLargestTexture(int side) {
    images_.setLargestTexture(side);
    light_.numbers().setSide(side);
    repaintView();
}

void ImageSurface::initializeGL() {
    try {
        const QSurfaceFormat got = context()->format();
        if (got.version() < qMakePair(3, 3)) {
            throw Error(ErrorCode::deviceFailed, "start the canvas: OpenGL 3.3 is needed, the driver offers " +
                                                     std::to_string(got.majorVersion()) + "." +
                                                     std::to_string(got.minorVersion()));
        }
        const auto* renderer = reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER));
        renderer_ = QString::fromLatin1(renderer);
        samplesLimit_ = drawsInSoftware(renderer_) ? kSoftwareSamples : kSamples;
        images_.setup();
        light_.setup();
        gl_ = Gl::ready;
        change_ = Change::image;
    } catch (const Error& error) {
        failGl(QString::fromUtf8(error.what()));
    }
}

void ImageSurface::failGl(const QString& reason) {
    if (gl_ == Gl::none || gl_ == Gl::ready) {
        gl_ = gl_ == Gl::none ? Gl::refused : Gl::broken;
        // Queued, not in a paint event: the receiver removes the canvas from the window.
        QMetaObject::invokeMethod(
            this, [this, reason] { emit failed(reason); }, Qt::QueuedConnection);
    }
}

void ImageSurface::updateImages() {
    if (images_.update(mode())) {
        resultLoaded();
    }
}

void ImageSurface::paintGL() {
    QElapsedTimer timer;
    timer.start();
    auto* gl = context()->functions();
    const QColor back =
        palette().color(QPalette::Window).lightness() < 128 ? QColor(0x15, 0x17, 0x1a) : QColor(0xdc, 0xdf, 0xe3);
    gl->glClearColor(static_cast<float>(back.redF()), static_cast<float>(back.greenF()),
                     static_cast<float>(back.blueF()), 1.0F);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    const bool isSame = std::exchange(change_, refine_.isActive() ? Change::highlights : Change::none) != Change::image;
    ++paints_;
    if (gl_ != Gl::ready || !images_.shown().image) {
        return;
    }
    const ImagePart part = this->part();
    try {
        loadLight(part, isSame);
        if (!isSame || !light_.image().restore(frameBuffer(), part.viewport)) {
            paintImage(part);
            paintSelection(part);
            light_.image().forget();
            if (isSame && isUpToDate() && light_.numbers().isPossible()) {
                light_.image().keep(frameBuffer(), part.viewport);
            }
        }
        if (highlightsComponent()) {
            light_.render(part);
        }
    } catch (const Error& error) {
        failGl(QString::fromUtf8(error.what()));
        return;
    }
    painted();
    paintMilliseconds_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void ImageSurface::paintImage(const ImagePart& part) {
    updateImages();
    complete_ = images_.render(part, devicePixelRatioF(), refine_.isActive() ? kCoarseSamples : samplesLimit_,
                               images_.takeAllowance());
    if (!complete_) {
        changed(Change::highlights); // for the missing tiles
    }
    images_.renderSplitLine(devicePixelRatioF(), palette().color(QPalette::Highlight));
}

void ImageSurface::loadLight(const ImagePart& part, bool isSame) {
    const QRectF seen = part.area();
    NodeTexture& numbers = light_.numbers();
    if (isSame) { // while the image changes, a paint copies tiles instead
        light_.load(seen);
    }
    if (numbers.isPossible() && !numbers.isComplete()) {
        changed(Change::highlights); // for the missing numbers
    }
    numbersLoaded();
    const Image& image = *images_.shown().image;
    const QSize size(static_cast<int>(image.width()), static_cast<int>(image.height()));
    if ((numbers.layers().image == size && numbers.holds(seen)) != highlightsComponent()) {
        light_.image().forget(); // the copy differs in the selection
        setHighlighted(highlightsComponent() ? Highlighted::nothing : Highlighted::all);
    }
}

void ImageSurface::paintSelection(const ImagePart& part) {
    if (highlightsComponent()) {
        setHighlighted(light_.renderSelection(part) ? Highlighted::all : Highlighted::component);
    }
}

void ImageSurface::setHighlighted(Highlighted highlighted) {
    if (highlighted != std::exchange(highlighted_, highlighted)) {
        QMetaObject::invokeMethod(this, &ImageSurface::highlightAbilityChanged, Qt::QueuedConnection);
    }
}

void ImageSurface::setTree(const std::shared_ptr<const ComponentTree>& tree) {
    if (tree == light_.numbers().tree()) {
        return;
    }
    light_.setTree(tree, numbersOf(tree));
    light_.setComponent(std::nullopt);
    if (!tree && isSetUp()) { // immediately: there is no paint while no file is open
        makeCurrent();
        light_.load({});
        doneCurrent();
    }
    changed(Change::image);
    if (std::exchange(highlighted_, Highlighted::nothing) != Highlighted::nothing) {
        emit highlightAbilityChanged();
    }
}

void ImageSurface::light(std::optional<std::uint32_t> node) {
    if (light_.setComponent(node) && light_.numbers().isPossible()) {
        changed(Change::highlights);
    }
}

void ImageSurface::select(NodeBitsTexture::Bits bits, const ComponentHighlight::Colours& colours) {
    if (bits != light_.selection().bits()) {
        light_.setSelection(std::move(bits), colours);
        changed(Change::image);
    }
}

void ImageSurface::paintInto(const ImagePart& part) {
    if (gl_ != Gl::ready || !images_.shown().image) {
        return;
    }
    updateImages();
    context()->functions()->glViewport(0, 0, part.viewport.width(), part.viewport.height());
    images_.render(part, devicePixelRatioF(), samplesLimit_, UploadAllowance::unlimited());
}

void ImageSurface::changed(Change change) {
    change_ = std::max(change_, change);
    wantFrame();
}

void ImageSurface::repaintView() {
    if (samplesLimit_ == kSoftwareSamples && part().scale < 1.0) {
        refine_.start();
    }
    changed(Change::image);
}

void ImageSurface::resizeEvent(QResizeEvent* event) {
    frameResized();
    GlSurface::resizeEvent(event);
    changed(Change::image);
}

void ImageSurface::showEvent(QShowEvent* event) {
    frameResized(); // the pixel ratio of the screen is unknown until now
    frames_.followWindow();
    GlSurface::showEvent(event);
    wantFrame();
}

void ImageSurface::changeEvent(QEvent* event) {
    GlSurface::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        repaintView();
    }
}

Canvas::Canvas(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::PresentationViewModel& presentation,
               QWidget* parent)
    : ImageSurface(
          display, [&document] { return expectedMilliseconds(document); }, parent),
      document_(document), display_(display), presentation_(presentation), input_(*this, display) {
    setObjectName(QStringLiteral("canvas"));
    setMinimumSize(160, 120);
    setAccessibleName(tr("Image"));
    setAccessibleDescription(tr("The image and its filtered version. Arrow keys move it, plus and minus zoom, "
                                "F fits it into the window, 1 shows it pixel by pixel."));

    connect(&document_, &vm::DocumentViewModel::imageChanged, this, &Canvas::takeDocument);
    connect(&document_, &vm::DocumentViewModel::sliceChanged, this, &Canvas::takeDocument);
    connect(&document_, &vm::DocumentViewModel::frameReady, this, [this] { take(document_.shown()); });
    connect(this, &GlSurface::frameSwapped, this, &Canvas::reportSwap);
    connect(&display_.detail(), &vm::ImageDetail::changed, this, &Canvas::repaintView);
    using Composite = vm::CompositeViewModel;
    for (const auto signal :
         {&Composite::onChanged, &Composite::channelsChanged, &Composite::stateChanged, &Composite::looksChanged}) {
        connect(&display_.composite(), signal, this, &Canvas::takeChannels);
    }
    takeDocument();
    takeChannels();
}

void Canvas::takeDocument() {
    take(document_.shown());
    input_.setHasImage(shown().image != nullptr);
}

NodeTexture::Source Canvas::numbersOf(const std::shared_ptr<const ComponentTree>& tree) const {
    const bool isOnDevice = tree && tree == document_.tree() && mode() != vm::DisplayMode::copy;
    return isOnDevice ? NodeTexture::Source{document_.shown().deviceNodes, document_.shown().treeEngine}
                      : NodeTexture::Source();
}

void Canvas::painted() {
    if (images().showsResult()) {
        painted_ = shown().frame.spec;
    }
}

void Canvas::resultLoaded() {
    const ResultTexture& texture = images().resultTexture();
    const vm::DisplayPath path = texture.path();
    // Queued: changes of the layout are not allowed in a paint event.
    QMetaObject::invokeMethod(
        this, [this, path] { document_.setResultPyramidWanted(path != vm::DisplayPath::interop); },
        Qt::QueuedConnection);
    QString reason = texture.reason();
    if (path == vm::DisplayPath::copy) {
        reason += u'\n' + tr("OpenGL: %1").arg(renderer());
    }
    if (path != presentation_.path() || reason != presentation_.reason()) {
        QMetaObject::invokeMethod(
            this, [this, path, reason] { presentation_.reportPath(path, reason); }, Qt::QueuedConnection);
    }
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

void Canvas::numbersLoaded() {
    const vm::NumbersTransfer& transfer = componentHighlight().numbers().transfer();
    const vm::NumbersTransfer numbers = transfer.path == vm::DisplayPath::none ? vm::NumbersTransfer{} : transfer;
    if (numbers != presentation_.numbers()) {
        // Queued: changes of the layout are not allowed in a paint event.
        QMetaObject::invokeMethod(
            this, [this, numbers] { presentation_.reportNumbers(numbers); }, Qt::QueuedConnection);
    }
}

} // namespace pollard::app

#include "canvas/shown_images.hpp"

#include "gl/image_tiles.hpp"
#include "gl/shader.hpp"
#include "gl/tone.hpp"
#include "theme/colours.hpp"

#include <QVector2D>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr double kHalfBand = 18.0; ///< logical px; the grip's radius is 14

/// Limits of the tiles that one paint copies to the graphics card: bytes (about 2 ms) and milliseconds; the next paint
/// copies the rest. The limits are larger after a change of the image, so that a drag of a threshold does not flicker
/// between coarse and fine.
constexpr std::uint64_t kUploadsPerPaint = std::uint64_t{8} << 20;
constexpr std::int64_t kUploadMillisecondsPerPaint = 3;
constexpr std::int64_t kUploadMillisecondsOfChannels = 2; ///< of a composite, which takes longer to draw
constexpr std::uint64_t kUploadsOfChange = std::uint64_t{32} << 20;
constexpr std::int64_t kUploadMillisecondsOfChange = 10;

/// Fetches per axis and device px at or below which a frame is coarse; a fine frame follows.
constexpr int kCoarseLimit = 2;

constexpr int kOwnChannel = -1; ///< of the document, see DetailTile::channels

/// Side of a square of the checkerboard where an image has no data, logical px.
constexpr double kCheckerSide = 8;

bool isLike(const Image& image, const auto& shown) {
    return shown.type() == image.type() && shown.width() == image.width() && shown.height() == image.height();
}

} // namespace

void SplitPainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("split"));
    vertices_.create();
}

void SplitPainter::render(double split, QSize viewport, double ratio, const QColor& accent) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    program_->bind();
    program_->setUniformValue("uSplit", static_cast<float>(split));
    program_->setUniformValue("uHalfWidth", static_cast<float>(kHalfBand * ratio));
    program_->setUniformValue("uViewport",
                              QVector2D(static_cast<float>(viewport.width()), static_cast<float>(viewport.height())));
    program_->setUniformValue("uRatio", static_cast<float>(ratio));
    program_->setUniformValue("uAccent", accent);
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    program_->release();
    glDisable(GL_BLEND);
}

void SplitPainter::destroy() {
    vertices_.destroy();
    program_.reset();
}

void ShownImages::take(const vm::ShownSlice& shown) {
    outdated_.image = outdated_.image || shown.image != shown_.image || shown.pyramid != shown_.pyramid;
    outdated_.result = true;
    shown_ = shown;
    if (!shown_.image) { // there is no paint while no file is open
        imageTiles_.setImage(nullptr);
        resultTiles_.setImage(nullptr);
    }
    vm::FrameResult& result = shown_.frame;
    // While a document changes, the result may belong to the previous image.
    const auto& image = shown_.input ? shown_.input : shown_.image;
    if (!image || (result.image && !isLike(*image, *result.image)) ||
        (result.deviceFrame && !isLike(*image, *result.deviceFrame))) {
        result.image.reset();
        result.pyramid.reset();
        result.deviceFrame.reset();
    }
}

void ShownImages::takeChannels() {
    const vm::CompositeViewModel& composite = display_.composite();
    changed_ |= channels_.take(composite.isShown() ? composite.layers() : std::vector<vm::CompositeViewModel::Layer>());
}

void ShownImages::setLargestTexture(int side) {
    largestTexture_ = std::max(side, 1);
    store_.setSide(side);
    outdated_.image = outdated_.result = true;
}

bool ShownImages::showsResult() const {
    return (shown_.frame.image || shown_.frame.deviceFrame) && display_.wantsResult();
}

double ShownImages::splitLine() const {
    return display_.isSplitEnabled() ? std::round(display_.splitPosition() * display_.view().viewSize.width()) : 0.0;
}

double ShownImages::splitIn(const ImagePart& part) const {
    if (!display_.isSplitEnabled()) {
        return 0;
    }
    // The split line keeps its column in the image if @p part differs from the part on the screen.
    const double column = ImagePart::of(display_.view()).toImage({splitLine(), 0}).x();
    if (shown_.across == VolumeAxis::x) { // all of the plane lies on one side
        return shown_.slice + 1 <= column ? part.viewport.width() : 0;
    }
    if (axesOf(shown_.plane())[0] != ImageAxis{VolumeAxis::x}) { // x does not run to the right
        return display_.splitPosition() * part.viewport.width();
    }
    return part.toView({column, 0}).x();
}

void ShownImages::setup() {
    painter_.setup();
    splitPainter_.setup();
    outdated_ = {};
}

bool ShownImages::update(vm::DisplayMode mode) {
    if (std::exchange(outdated_.colours, false)) {
        colours_.load(colourStops(display_.colourMap()));
        black_.load({Qt::black});
    }
    if (std::exchange(outdated_.image, false)) {
        imageTiles_.setImage(shown_.pyramid ? shown_.pyramid : std::make_shared<const Pyramid>(shown_.image));
        changed_ = true;
    }
    const vm::FrameResult& result = shown_.frame;
    if (!outdated_.result || !(result.image || result.deviceFrame)) {
        return false;
    }
    resultTexture_.setMode(mode);
    resultTexture_.show({result.deviceFrame.get(), result.engine, shown_.slice}, largestTexture_);
    if (resultTexture_.path() == vm::DisplayPath::interop) {
        resultTiles_.setImage(nullptr);
    } else if (result.image) { // else the result with pyramid follows
        resultTiles_.setImage(result.pyramid ? result.pyramid : std::make_shared<const Pyramid>(result.image));
    }
    outdated_.result = false;
    changed_ = true;
    return true;
}

UploadAllowance ShownImages::takeAllowance() {
    if (std::exchange(changed_, false)) {
        return {kUploadsOfChange, kUploadMillisecondsOfChange};
    }
    return {kUploadsPerPaint, channels_.isEmpty() ? kUploadMillisecondsPerPaint : kUploadMillisecondsOfChannels};
}

bool ShownImages::render(const ImagePart& part, double ratio, int samplesLimit, UploadAllowance allowance) {
    const bool hasDetail = !isSection() && display_.compare().mode() != vm::CompareViewModel::Mode::difference;
    const vm::ImageDetail::Tiles fine = hasDetail ? display_.detail().tiles() : vm::ImageDetail::Tiles();
    // A result that is the image is drawn as the image, which has finer levels.
    const bool twin = showsResult() && (fine.empty() || !display_.isUnfiltered());
    ImagePainter::View view{part,
                            splitIn(part),
                            toneOf(display_, shown_.frame.spec.output, twin),
                            colours_.texture(),
                            display_.isSmooth(),
                            samplesLimit};
    view.tone.checker = kCheckerSide * ratio;

    const vm::CompositeViewModel& composite = display_.composite();
    const bool isComposite =
        !isSection() && composite.isShown() && view.tone.difference == Tone::Difference::none &&
        !(twin && composite.useOf(shown_.frame.spec.output) == vm::CompositeViewModel::ResultUse::alone);
    return isComposite ? renderComposite(view, twin, fine, allowance) : renderGrey(view, twin, fine, allowance);
}

ImageTiles::Selection ShownImages::selectResult(const ImagePart& part, UploadAllowance& allowance) {
    return resultTiles_.isEmpty() ? ImageTiles::Selection{resultTexture_.tiles()}
                                  : resultTiles_.select(part, allowance);
}

bool ShownImages::renderGrey(ImagePainter::View view, bool twin, const vm::ImageDetail::Tiles& fine,
                             UploadAllowance allowance) {
    const bool needsBefore = !twin || display_.isSplitEnabled() || view.tone.difference != Tone::Difference::none;
    store_.begin();
    ImageTiles::Selection after;
    if (twin) {
        after = selectResult(view, allowance);
    }
    ImageTiles::Selection before;
    if (needsBefore) {
        before = withDetail(imageTiles_.select(view, allowance), fine, kOwnChannel, store_, allowance);
    }
    store_.end();
    painter_.render(needsBefore ? before.tiles : after.tiles, twin ? after.tiles : before.tiles, view);
    return before.isComplete && after.isComplete;
}

bool ShownImages::renderComposite(ImagePainter::View view, bool twin, const vm::ImageDetail::Tiles& fine,
                                  UploadAllowance allowance) {
    const vm::CompositeViewModel& composite = display_.composite();
    if (view.samplesLimit <= kCoarseLimit && channels_.count() > 1) {
        view.samplesLimit = 1; // a coarse frame of all channels in the time of one of a few
    }
    const double checker = view.tone.checker;
    view.tone = {};
    view.tone.checker = checker;
    using Use = vm::CompositeViewModel::ResultUse;
    const Use use = composite.useOf(shown_.frame.spec.output);
    const bool needsBase = channels_.isEmpty() || channels_.isMasked();
    store_.begin();
    std::optional<CompositeLayers::Result> result;
    bool complete = true;
    if (twin) {
        ImageTiles::Selection after = selectResult(view, allowance);
        complete = after.isComplete;
        const bool isAlike = shown_.frame.spec.output == Output::filtered && composite.sourceRow() >= 0;
        result = {use,
                  {},
                  std::move(after.tiles),
                  isAlike ? composite.window(composite.sourceRow()) : display_.resultWindow()};
    }
    const bool replacesSource = twin && use == Use::channel;
    complete =
        channels_.select(view, display_.isSplitEnabled(), display_.wantsResult(), replacesSource, fine, allowance) &&
        complete;
    ImageTiles::Selection base;
    if (needsBase || (twin && use == Use::luminance)) {
        base = imageTiles_.select(view, allowance);
    }
    store_.end();
    if (needsBase) {
        view.colourMap = black_.texture();
        painter_.render(base.tiles, base.tiles, view);
    }
    if (result) {
        result->before = base.tiles;
    }
    channels_.render(painter_, view, result, needsBase);
    return complete && base.isComplete;
}

void ShownImages::renderSplitLine(double ratio, const QColor& accent) {
    if (display_.isSplitEnabled() && !isSection()) {
        splitPainter_.render(splitLine(), display_.view().viewSize.toSize(), ratio, accent);
    }
}

void ShownImages::destroy() {
    store_.destroy();
    resultTexture_.destroy();
    channels_.destroy();
    colours_.destroy();
    black_.destroy();
    painter_.destroy();
    splitPainter_.destroy();
}

} // namespace pollard::app

#include "document_jobs.hpp"

#include "base/error.hpp"
#include "image/analysis_image.hpp"

#include <utility>

namespace pollard::vm {

namespace {

constexpr const char* kFallbackEngine = "cpu";

// Shares of the progress bar, about as long as the steps take on a 20 MPix photo.
constexpr double kReadEnd = 0.3;
constexpr double kTreeEnd = 0.85; // of a build
constexpr double kMeasureEnd = 0.95;

/// Whether another engine may succeed where one failed with this.
bool isDeviceTrouble(ErrorCode code) {
    return code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
}

bool fits(const Mask* mask, const Image& image) {
    return mask == nullptr || (mask->width() == image.width() && mask->height() == image.height());
}

} // namespace

JobControl JobContext::part(double from, double to) const {
    if (!progress) {
        return JobControl(stop);
    }
    return JobControl(stop, [report = progress, from, to](double fraction, std::string_view stage) {
        report(from + fraction * (to - from), stage);
    });
}

DocumentJobs::DocumentJobs(DocumentServices services) : services_(std::move(services)) {}

LoadResult DocumentJobs::load(const std::filesystem::path& path, const ReadOptions& options, const TreeRequest& request,
                              const JobContext& context) {
    LoadedImage loaded = services_.read(path, options, context.part(0, kReadEnd));
    LoadResult result;
    result.image = std::move(loaded.image);
    result.valid = std::move(loaded.valid);
    result.info = std::make_shared<const ImageInfo>(std::move(loaded.info));
    result.histogram = std::make_shared<const LevelHistogram>(countLevels(*result.image, JobControl(context.stop)));
    const std::size_t levels = Pyramid::levelsOf(result.image->width(), result.image->height());
    const auto coverage =
        result.valid ? std::make_shared<const Coverage>(result.valid, levels, JobControl(context.stop)) : nullptr;
    result.pyramid = pyramids_.make(result.image, coverage, JobControl(context.stop));

    const JobContext rest{context.stop, [&context](double fraction, std::string_view stage) {
                              if (context.progress) {
                                  context.progress(kReadEnd + fraction * (1 - kReadEnd), stage);
                              }
                          }};
    TreeRequest fitting = request;
    if (!fits(fitting.domain.get(), *result.image)) {
        fitting.domain.reset();
    }
    Opened opened = openWithFallback({result.image, result.valid, nullptr, coverage}, fitting, rest);
    result.tree = take(std::move(opened));
    return result;
}

TreeResult DocumentJobs::build(const TreeRequest& request, const JobContext& context) {
    if (!present_) {
        throw Cancelled{}; // the document was closed, or never opened
    }
    Opened opened = openWithFallback(present_->picture, request, context);
    return take(std::move(opened));
}

AttributeColumns DocumentJobs::measure(const std::vector<AttributeId>& ids, const JobContext& context) {
    if (!present_) {
        throw Cancelled{};
    }
    AttributeColumns columns;
    for (const AttributeId id : ids) {
        columns.emplace_back(id, present_->session->attribute(id, JobControl(context.stop)));
    }
    return columns;
}

FrameResult DocumentJobs::filter(const FilterSpec& spec, const JobContext& context) {
    if (!present_) {
        throw Cancelled{};
    }
    const EngineUse& engine = present_->tree.engine;
    try {
        return filterWith(*engine.engine, *present_->session, present_->picture, spec, JobControl(context.stop));
    } catch (const Error& error) {
        if (engine.name == kFallbackEngine || !isDeviceTrouble(error.code())) {
            throw;
        }
        // The numbering of nodes depends on nothing but the image and the kind of tree, so the tree and the attributes
        // that others hold stay right.
        TreeRequest request = present_->request;
        request.filter = spec;
        Opened opened = openWith(services_.selectEngine(kFallbackEngine), present_->picture, request, context);
        opened.tree.engine.notice = error.what();
        FrameResult frame = take(std::move(opened)).frame;
        frame.takenOver = present_->tree.engine;
        return frame;
    }
}

void DocumentJobs::save(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
                        const JobContext& context) const {
    services_.write(path, image, options, context.part(0, 1));
}

void DocumentJobs::close() noexcept { present_.reset(); }

TreeResult DocumentJobs::take(Opened opened) {
    TreeResult result = opened.tree;
    opened.tree.frame = {}; // whoever shows the picture holds it, and no longer than that
    present_ = std::move(opened);
    return result;
}

DocumentJobs::Opened DocumentJobs::openWith(Engine& engine, const Picture& picture, const TreeRequest& request,
                                            const JobContext& context) {
    Opened opened;
    opened.picture = picture;
    opened.request = request;
    opened.session = engine.openSession(services_.sessionOptions);
    opened.session->openImage(
        analysisImage(picture.image, picture.inside.get(), request.spec.kind, JobControl(context.stop)));
    opened.tree.spec = request.spec;
    opened.tree.domain = request.domain;
    opened.tree.report = opened.session->buildTree(request.spec, context.part(0, kTreeEnd));
    opened.tree.tree = opened.session->tree();
    for (const AttributeId id : request.attributes) {
        opened.tree.attributes.emplace_back(id, opened.session->attribute(id, context.part(kTreeEnd, kMeasureEnd)));
    }
    opened.tree.frame = filterWith(engine, *opened.session, picture, request.filter, context.part(kMeasureEnd, 1));
    opened.tree.engine = {request.engine, engine.name(), engine.device(), {}, &engine};
    return opened;
}

DocumentJobs::Opened DocumentJobs::openWithFallback(Picture picture, const TreeRequest& request,
                                                    const JobContext& context) {
    picture.inside = intersection(picture.valid, request.domain);
    Engine& engine = services_.selectEngine(request.engine);
    try {
        return openWith(engine, picture, request, context);
    } catch (const Error& error) {
        // An unknown algorithm of the CPU engine, or too little memory for it, stays an error.
        if (engine.name() == kFallbackEngine || !isDeviceTrouble(error.code())) {
            throw;
        }
        Opened opened = openWith(services_.selectEngine(kFallbackEngine), picture, request, context);
        opened.tree.engine.notice = error.what();
        return opened;
    }
}

FrameResult DocumentJobs::filterWith(Engine& engine, Session& session, const Picture& picture, const FilterSpec& spec,
                                     const JobControl& control) {
    FrameResult frame;
    const Image& image = *picture.image;
    const std::shared_ptr<Image> target = frames_.acquire(image.type(), image.width(), image.height());
    frame.report = session.filter(spec, *target, control);
    if (picture.inside) {
        // The device's copy of the picture knows nothing of what lies outside.
        restoreOutside(image, *picture.inside, spec.output, *target, control);
    } else {
        frame.deviceFrame = session.deviceFrame();
    }
    frame.brightLevel = spec.output == Output::residue ? brightLevel(*target) : std::uint16_t{0};
    frame.image = target;
    if (wantsPyramids_ || !frame.deviceFrame) {
        frame.pyramid = pyramids_.make(target, picture.coverage, control);
    }
    frame.engine = &engine;
    frame.spec = spec;
    return frame;
}

} // namespace pollard::vm

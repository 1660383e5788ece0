#include "vm/document/jobs/document_jobs.hpp"

#include "vm/document/image_units.hpp"

#include "base/error.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_units.hpp"
#include "image/mask.hpp"
#include "io/metadata/length_units.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kReadEnd = 0.3;       ///< on the progress bar, for a 20 MPix photo
constexpr double kSavedFiltered = 0.3; ///< of a volume that is filtered and written

/// Share of a device's memory for pages that are not displayed.
constexpr std::uint64_t kDeviceCacheShare = 4;

/// The pixel size that the user set for a page, else the size stated by the file.
std::optional<PixelSize> pixelSizeOf(const PageImage& image, const OpenRequest& page) {
    if (!page.pixelSize) {
        return image.fileInfo->pixelSize;
    }
    ImageInfo info = *image.fileInfo;
    statePixelSize(info, *page.pixelSize, page.shrink, image.volume ? page.shrink : 1);
    return info.pixelSize;
}

/// The analysed pixels of an image, or of every slice of a volume; null for all.
std::shared_ptr<const Mask> domainOf(const PageImage& image, const std::shared_ptr<const Mask>& domain) {
    return domain && image.volume ? std::make_shared<const Mask>(domain->repeated(image.volume->extent().slices))
                                  : domain;
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

JobContext JobContext::share(double from, double to) const {
    return {stop, [this, from, to](double fraction, std::string_view stage) {
                if (progress) {
                    progress(from + fraction * (to - from), stage);
                }
            }};
}

LoadedImage sourceOf(const LoadedImage& source, const std::shared_ptr<const Image>& result, const FilterStages& earlier,
                     const FilterSpec& filter, const std::optional<ValueMapping>& mapping) {
    const ResultValues values = resultValuesOf(filter);
    return mapping && givesLengths(earlier) && values != ResultValues::others
               ? withOwnLevels(source, result, *mappingAfter(mapping, values))
               : source;
}

bool PageFilter::filtersAs(const PageFilter& other) const {
    const bool inUnits = hasUnits(tree.filter) || dependsOnPixelSize(tree.earlier);
    return stack.sameStack(other.stack) && tree.spec == other.tree.spec && tree.domain == other.tree.domain &&
           effectiveStages(tree.earlier) == effectiveStages(other.tree.earlier) && tree.filter == other.tree.filter &&
           (!inUnits || stack.pixelSize == other.stack.pixelSize);
}

DocumentJobs::DocumentJobs(DocumentServices services) : services_(std::move(services)) {}

LoadResult DocumentJobs::load(const OpenRequest& asked, const LoadRules& rules, const TreeRequest& request,
                              const JobContext& context) {
    DecidedRequest decided = reader_.decide(asked, rules, request);
    OpenRequest& page = decided.request;
    const bool isDecidedVolume = asked.slices == Slices::automatic && page.slices == Slices::volume;
    if (auto question = isDecidedVolume ? std::nullopt : questionAbout(page, rules, request)) {
        const auto reduced = asked.mayReduce ? question->overview(page) : std::nullopt;
        if (!reduced) {
            LoadResult result;
            result.question = std::move(question);
            result.request = page;
            return result;
        }
        page = *reduced;
    }
    const std::uint64_t deviceBytes = services_.selectEngine(request.engine).memoryBytes();
    cache_.setBudget({rules.cacheBytes, deviceBytes / kDeviceCacheShare});
    if (auto kept = loadKept(decided, request, context)) {
        return std::move(*kept);
    }
    const JobControl reading = context.part(0, kReadEnd);
    OpenRequest asStored = page; // the document replaces the pixel size without reading again
    asStored.pixelSize.reset();
    asStored.page = decided.page;
    PageImage image = reader_.read(asStored, decided.slice, rules, reading);
    image.pixelSize = pixelSizeOf(image, page);
    reader_.addDisplay(image, reading);
    TreeRequest fitting = request;
    if (fitting.domain && !fits(*fitting.domain, *image.image)) {
        fitting.domain.reset();
    }
    OpenedPage opened = openWithFallback(image, fitting, context.share(kReadEnd, 1));
    retirePresent(keyOf(page, fitting));
    presentPage_ = {page.page, page.channel};
    return loaded(std::move(opened), page, std::move(decided.tooLarge));
}

std::optional<LoadResult> DocumentJobs::loadKept(const DecidedRequest& decided, const TreeRequest& request,
                                                 const JobContext& context) {
    const OpenRequest& page = decided.request;
    const StackKey key = keyOf(page, request);
    if (!present_ || key != presentKey_) {
        return std::nullopt;
    }
    std::optional<OpenedPage> kept = cache_.take({page.page, page.channel});
    if (!kept) {
        return std::nullopt;
    }
    kept->image.pixelSize = pixelSizeOf(kept->image, page);
    if (dependsOnPixelSize(request.earlier) && kept->tree.pixelSize != kept->image.pixelSize) {
        return std::nullopt;
    }
    try {
        const JobControl control(context.stop);
        if (kept->image.volume && kept->image.slice != decided.slice) {
            const std::uint32_t last = kept->image.volume->extent().slices - 1;
            reader_.showPlane(kept->image, {VolumeAxis::z, std::min(decided.slice, last)}, control);
            kept->frame = {};
        }
        kept->tree.attributes.clear();
        for (const AttributeId id : request.attributes) {
            kept->tree.attributes.emplace_back(id, columnOf(*kept->session, id, control));
        }
        auto frame = kept->frame.get(request.filter, builder_.wantsPyramids());
        kept->tree.frame =
            frame ? std::move(*frame)
                  : builder_.filter(*kept->tree.engine.engine, *kept->session, kept->image, request.filter, control);
    } catch (const Cancelled&) {
        cache_.keep({page.page, page.channel}, std::move(*kept));
        throw;
    } catch (const Error&) {
        return std::nullopt; // read and built again, possibly with another engine
    }
    kept->tree.earlier = request.earlier; // filters that are off may differ
    kept->tree.engine.notice.clear();     // reported when the tree was built
    retirePresent(key);
    presentPage_ = {page.page, page.channel};
    return loaded(std::move(*kept), page, std::nullopt);
}

void DocumentJobs::usePixelSize(const ImageInfo* image, const std::optional<PixelSize>& size) {
    if (present_ && present_->image.fileInfo.get() == image) {
        present_->image.pixelSize = size;
    }
}

TreeResult DocumentJobs::build(const TreeRequest& request, const JobContext& context) {
    if (!present_) {
        throw Cancelled{}; // no document is open
    }
    OpenedPage opened = openWithFallback(present_->image, request, context);
    // The cached pages have the previous tree.
    cache_.clear();
    presentKey_.spec = request.spec;
    presentKey_.engine = request.engine;
    presentKey_.domain = request.domain;
    presentKey_.earlier = effectiveStages(request.earlier);
    return take(std::move(opened));
}

AttributeColumns DocumentJobs::measure(const std::vector<AttributeId>& ids, const JobContext& context) {
    if (!present_) {
        throw Cancelled{};
    }
    AttributeColumns columns;
    for (const AttributeId id : ids) {
        columns.emplace_back(id, columnOf(*present_->session, id, JobControl(context.stop)));
    }
    return columns;
}

AttributePlane DocumentJobs::plane(const PlaneRequest& request, const JobContext& context) {
    if (!present_) {
        throw Cancelled{};
    }
    const JobControl control(context.stop);
    try {
        return present_->session->plane(request.x->id, request.binsX, request.y->id, request.binsY, control);
    } catch (const Error& error) {
        if (!isDeviceTrouble(error.code())) {
            throw;
        }
        return attributePlane(*request.x, request.binsX, *request.y, request.binsY, control);
    }
}

FrameResult DocumentJobs::filter(const FilterSpec& spec, const JobContext& context) {
    if (!present_) {
        throw Cancelled{};
    }
    FrameResult frame = filterPresent(present_->image, spec, context);
    present_->frame.set(frame);
    return frame;
}

FrameResult DocumentJobs::filterPresent(const PageImage& image, const FilterSpec& spec, const JobContext& context) {
    FrameResult frame;
    auto other = onPresent(
        [&] {
            const JobControl control(context.stop);
            auto made = filterOnDevice(spec, control);
            frame = made ? std::move(*made)
                         : builder_.filter(*present_->tree.engine.engine, *present_->session, image, spec, control);
        },
        image, spec, context);
    return other ? std::move(*other) : std::move(frame);
}

std::optional<FrameResult> DocumentJobs::onPresent(const std::function<void()>& work, const PageImage& image,
                                                   const FilterSpec& spec, const JobContext& context) {
    std::optional<FrameResult> frame;
    std::string reason;
    Engine* const present = present_->tree.engine.engine;
    onFirstThatWorks(
        services_.enginesFrom(*present),
        [&](Engine& engine) {
            if (&engine == present) {
                work();
                return;
            }
            // The numbering of nodes depends only on the image and the kind of tree, so existing trees and attributes
            // stay valid.
            TreeRequest request = present_->request;
            request.filter = spec;
            OpenedPage opened = buildWith(engine, image, request, context);
            opened.tree.engine.notice = reason;
            frame = take(std::move(opened)).frame;
            frame->takenOver = present_->tree.engine;
        },
        [&reason](const Error& error, const Engine& /*next*/) { reason = error.what(); });
    return frame;
}

std::optional<FrameResult> DocumentJobs::filterOnDevice(const FilterSpec& spec, const JobControl& control) {
    // Measuring a residue's brightness needs main memory.
    if (builder_.wantsPyramids() || !imagesMayStayOnDevice_ || isStretched(present_->image, spec.output) ||
        areRanks(present_->image, spec)) {
        return std::nullopt;
    }
    auto report = present_->session->filterOnDevice(pixelsOf(spec, present_->image), control);
    if (!report) {
        return std::nullopt;
    }
    FrameResult frame;
    frame.report = std::move(*report);
    frame.deviceFrame = present_->session->deviceFrame();
    frame.engine = present_->tree.engine.engine;
    frame.spec = spec;
    return frame;
}

ShownSlice DocumentJobs::showSlice(const Image* volume, std::uint32_t slice, const FilterSpec& spec,
                                   const JobContext& context) {
    if (!present_ || present_->image.volume.get() != volume) {
        throw Cancelled{};
    }
    PageImage image = present_->image;
    reader_.showPlane(image, {VolumeAxis::z, slice}, JobControl(context.stop));
    const bool sameFilter = spec == present_->frame.spec();
    const std::uint16_t scale = present_->frame.brightLevel();
    FrameResult frame = filterPresent(image, spec, context);
    if (!frame.takenOver) {
        present_->image = image;
    }
    if (sameFilter) { // one scale for all slices
        frame.brightLevel = scale;
    }
    present_->frame.set(frame);
    return {image, std::move(frame)};
}

SectionsResult DocumentJobs::sections(const Image* volume, const std::vector<VolumePlane>& planes,
                                      const JobContext& context) {
    if (!present_ || present_->image.volume.get() != volume) {
        throw Cancelled{};
    }
    SectionsResult result;
    const auto work = [&] { result.sections = sectionsOf(planes, JobControl(context.stop)); };
    const std::uint16_t scale = present_->frame.brightLevel();
    result.frame = onPresent(work, present_->image, present_->frame.spec(), context);
    if (result.frame) {
        result.frame->brightLevel = scale;
        present_->frame.set(*result.frame);
        work();
    }
    return result;
}

std::vector<ShownSlice> DocumentJobs::sectionsOf(const std::vector<VolumePlane>& planes, const JobControl& control) {
    std::vector<ShownSlice> sections;
    for (const VolumePlane& plane : planes) {
        PageImage image = present_->image;
        reader_.showPlane(image, plane, control);
        FrameResult frame =
            builder_.filter(*present_->tree.engine.engine, *present_->session, image, present_->frame.spec(), control);
        frame.brightLevel = present_->frame.brightLevel(); // one scale for all planes
        sections.push_back({image, std::move(frame)});
    }
    return sections;
}

std::shared_ptr<const Image> DocumentJobs::filterVolume(const Image* volume, const FilterSpec& spec,
                                                        const JobContext& context) {
    if (!present_ || present_->image.volume.get() != volume) {
        throw Cancelled{};
    }
    const JobControl control = context.part(0, 1);
    const PageImage& image = present_->image;
    if (services_.availableMemory && volume->bytes() > services_.availableMemory()) {
        throw Error(ErrorCode::outOfMemory, "filter all slices: " + std::to_string(volume->bytes() >> 20U) +
                                                " MiB of memory needed, " +
                                                std::to_string(services_.availableMemory() >> 20U) + " MiB free");
    }
    auto filtered = std::make_shared<Image>(image.analysed()->type(), volume->extent());
    filtered->setSides(volume->sides());
    onFirstThatWorks(services_.enginesFrom(*present_->tree.engine.engine), [&](Engine& engine) {
        Session* session = present_->session.get();
        OpenedPage opened;
        if (&engine != present_->tree.engine.engine) { // the next image or slice reports the failed device
            TreeRequest request = present_->request;
            request.attributes.clear();
            opened = buildWith(engine, image, request, context);
            session = opened.session.get();
        }
        (void)session->filter(pixelsOf(spec, image), *filtered, control);
    });
    return filtered;
}

void DocumentJobs::saveVolume(const std::filesystem::path& path, const LoadedImage& volume, const FilterSpec& spec,
                              ResultValues values, const JobContext& context) {
    const auto filtered = filterVolume(volume.image.get(), spec, context.share(0, kSavedFiltered));
    const LoadedImage source = sourceOf(volume, filtered, present_->request.earlier, spec, present_->image.mapping);
    writeResult(path, resultPlane(*filtered, source, values), context.part(kSavedFiltered, 1));
}

std::shared_ptr<const Image> DocumentJobs::fetch(const DeviceSlice& slice, const JobControl& control) {
    const DeviceFrame& frame = *slice.frame;
    if (!present_ || !present_->frame.isOn(frame)) {
        throw Cancelled{};
    }
    const PageImage& page = present_->image;
    const std::shared_ptr<Image> image = builder_.frame(frame.type(), frame.width(), frame.height());
    if (page.volume) {
        const FilterSpec spec = pixelsOf(present_->frame.spec(), page);
        (void)present_->session->filterPlane(spec, {VolumeAxis::z, slice.slice}, *image, control);
    } else {
        present_->session->fetchFrame(frame, *image, control);
    }
    if (slice.slice == page.slice) {
        present_->frame.setImage(image);
    }
    return image;
}

void DocumentJobs::close() noexcept {
    present_.reset();
    presentKey_ = {};
    cache_.clear();
}

DocumentJobs::StackKey DocumentJobs::keyOf(const OpenRequest& page, const TreeRequest& request) {
    StackKey key;
    key.stack = page;
    key.stack.page = 0;
    key.stack.channel = {};
    key.stack.pixelSize.reset(); // pixels do not depend on it
    const std::filesystem::path path = QFileInfo(page.path).filesystemFilePath();
    std::error_code ignored; // a missing file is reported by the read
    key.fileBytes = std::filesystem::file_size(path, ignored);
    key.changed = std::filesystem::last_write_time(path, ignored);
    key.spec = request.spec;
    key.engine = request.engine;
    key.domain = request.domain;
    key.earlier = effectiveStages(request.earlier);
    return key;
}

LoadResult DocumentJobs::loaded(OpenedPage opened, const OpenRequest& page, std::optional<MemoryPlan> tooLarge) {
    LoadResult result;
    result.request = page;
    result.tooLarge = std::move(tooLarge);
    result.tree = take(std::move(opened));
    result.cache = {static_cast<int>(cache_.pages()), cache_.hostBytes()};
    return result;
}

void DocumentJobs::retirePresent(const StackKey& next) {
    if (present_ && next == presentKey_) {
        cache_.keep(presentPage_, std::move(*present_));
    } else {
        cache_.clear();
    }
    present_.reset();
    presentKey_ = next;
}

OpenedPage DocumentJobs::filterPage(const OpenRequest& page, const LoadRules& rules, const TreeRequest& request,
                                    const JobContext& context) {
    const PageImage image = reader_.read(page, 0, rules, context.part(0, kReadEnd));
    TreeRequest fitting = request;
    fitting.attributes.clear();
    if (fitting.domain && !fits(*fitting.domain, *image.image)) {
        fitting.domain.reset();
    }
    return openWithFallback(image, fitting, context.share(kReadEnd, 1));
}

void DocumentJobs::filterPages(const std::filesystem::path& target, const OpenRequest& stack, int pages,
                               const LoadRules& rules, const TreeRequest& request, const JobContext& context) {
    const auto makePage = [&](int number, const JobControl&) {
        OpenRequest page = stack;
        page.page = number;
        const JobContext part =
            context.share(static_cast<double>(number) / pages, static_cast<double>(number + 1) / pages);
        try {
            const OpenedPage opened = filterPage(page, rules, request, part);
            const ImageInfo& info = *opened.image.fileInfo;
            const ResultValues values = resultValuesAfter(resultValuesOf(request.earlier), request.filter);
            const LoadedImage source{opened.image.image, opened.image.valid, info, {}};
            return resultPlane(
                opened.tree.frame.image,
                sourceOf(source, opened.tree.frame.image, request.earlier, request.filter, opened.image.mapping),
                values, ResultPages::all);
        } catch (const Error& error) {
            throw Error(error.code(),
                        "page " + std::to_string(number + 1) + " of " + std::to_string(pages) + ": " + error.what());
        }
    };
    services_.write(target, {pages, makePage}, JobControl(context.stop), {.arePages = true});
}

TreeResult DocumentJobs::take(OpenedPage opened) {
    opened.frame.set(opened.tree.frame);
    TreeResult result = opened.tree;
    result.shown = opened.image;
    opened.tree.frame = {}; // the display holds the image
    present_ = std::move(opened);
    return result;
}

OpenedPage DocumentJobs::buildWith(Engine& engine, const PageImage& image, const TreeRequest& request,
                                   const JobContext& context) {
    return builder_.build(engine, image, request, present_ ? &*present_ : nullptr, context);
}

OpenedPage DocumentJobs::openWithFallback(PageImage image, const TreeRequest& request, const JobContext& context) {
    image.inside = intersection(image.wholeValid(), domainOf(image, request.domain));
    const std::vector<Engine*> engines = services_.enginesFrom(services_.selectEngine(request.engine));
    if (cache_.pages() > 0) {
        try {
            return buildWith(*engines.front(), image, request, context);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::outOfMemory) {
                throw;
            }
            cache_.clear(); // frees memory for the new page
        }
    }
    OpenedPage opened;
    std::string notice;
    onFirstThatWorks(
        engines, [&](Engine& engine) { opened = buildWith(engine, image, request, context); },
        [&notice](const Error& error, const Engine& /*next*/) { notice = error.what(); });
    opened.tree.engine.notice = std::move(notice);
    return opened;
}

} // namespace pollard::vm

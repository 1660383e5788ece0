#include "vm/document/jobs/page_builder.hpp"

#include "vm/document/image_units.hpp"
#include "vm/document/volume_sides.hpp"
#include "vm/image/level_histogram.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "geo/map_coordinates.hpp"
#include "io/volumes/read_volume.hpp"
#include "operators/apply_operator.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/results/result_tags.hpp"
#include "recipe/run_recipe.hpp"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

namespace pollard::vm {

namespace {

constexpr std::uint64_t kDeviceBytesPerNode = 26; ///< tables and an attribute
constexpr std::uint64_t kDeviceBytesPerPixel = 4; ///< the node of the pixel

std::uint64_t bytesOfTree(const ComponentTree& tree) {
    return tree.pixelNode.bytes() + tree.parent.bytes() + tree.level.bytes() + tree.subtreeEnd.bytes() +
           tree.canonical.bytes();
}

} // namespace

void LastFrame::set(const FrameResult& frame) {
    device_ = frame.deviceFrame;
    image_ = frame.image;
    pyramid_ = frame.pyramid;
    frame_ = frame;
    frame_.image.reset();
    frame_.pyramid.reset();
    frame_.deviceFrame.reset();
    frame_.takenOver.reset();
}

std::optional<FrameResult> LastFrame::get(const FilterSpec& spec, bool wantsPyramid) const {
    FrameResult frame = frame_;
    frame.image = image_.lock();
    frame.pyramid = pyramid_.lock();
    // Bounds in units depend on the size of a pixel, which may have changed.
    const bool isIt = frame.image && frame.spec == spec && !hasUnits(spec) && (frame.pyramid || !wantsPyramid);
    return isIt ? std::optional(std::move(frame)) : std::nullopt;
}

std::uint64_t OpenedPage::hostBytes() const {
    std::uint64_t bytes = image.image ? image.image->bytes() : 0;
    if (image.pyramid) {
        bytes += bytes / 3;
    }
    if (image.volume) {
        bytes += image.volume->bytes();
    }
    if (image.analysed() != image.whole()) {
        bytes += image.analysed()->bytes();
    }
    if (image.inside) {
        bytes += image.whole()->bytes(); // the analysed image is a copy
        bytes += image.inside->bytes();
    }
    if (const auto& valid = image.wholeValid(); valid && valid != image.inside) {
        bytes += valid->bytes();
    }
    if (image.histogram) {
        bytes += image.histogram->counts.size() * sizeof(image.histogram->counts[0]);
    }
    if (tree.tree) {
        bytes += bytesOfTree(*tree.tree);
    }
    for (const auto& [id, column] : tree.attributes) {
        bytes += std::visit([](const auto& values) { return values.bytes(); }, column->values);
    }
    return bytes;
}

std::uint64_t OpenedPage::deviceBytes() const {
    if (tree.engine.name == kFallbackEngine || !tree.tree || !image.image) {
        return 0;
    }
    return image.whole()->bytes() + tree.tree->pixelCount() * kDeviceBytesPerPixel +
           tree.tree->nodeCount() * kDeviceBytesPerNode;
}

void PageCache::setBudget(const Budget& budget) {
    budget_ = budget;
    makeRoom(0, 0);
}

void PageCache::keep(const Key& key, OpenedPage page) {
    static_cast<void>(take(key));
    const std::uint64_t host = page.hostBytes();
    const std::uint64_t device = page.deviceBytes();
    if (host > budget_.host || device > budget_.device) {
        return;
    }
    makeRoom(host, device);
    entries_.push_front({key, host, device, std::move(page)});
    hostBytes_ += host;
    deviceBytes_ += device;
}

std::optional<OpenedPage> PageCache::take(const Key& key) {
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found == entries_.end()) {
        return std::nullopt;
    }
    std::optional<OpenedPage> page(std::move(found->page));
    erase(found);
    return page;
}

void PageCache::clear() noexcept {
    entries_.clear();
    hostBytes_ = deviceBytes_ = 0;
}

void PageCache::makeRoom(std::uint64_t hostBytes, std::uint64_t deviceBytes) {
    while (!entries_.empty() &&
           (hostBytes_ + hostBytes > budget_.host || deviceBytes_ + deviceBytes > budget_.device)) {
        erase(std::prev(entries_.end()));
    }
}

void PageCache::erase(std::list<Entry>::iterator entry) {
    hostBytes_ -= entry->hostBytes;
    deviceBytes_ -= entry->deviceBytes;
    entries_.erase(entry);
}

namespace {

/// Pages of the slices of a volume as read: in a shrunk volume the first of the pages that a slice joins.
SlicePages pagesRead(const ImageInfo& info, const OpenRequest& volume) {
    SlicePages pages = slicePages(info);
    if (volume.sliceRange) {
        pages.first += static_cast<int>(volume.sliceRange->first) * pages.stride;
        pages.count = static_cast<int>(volume.sliceRange->count);
    }
    pages.stride *= volume.shrink;
    pages.count = (pages.count + volume.shrink - 1) / volume.shrink;
    return pages;
}

} // namespace

std::optional<MemoryPlan> PageImageReader::questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                         const TreeRequest& request) const {
    if (!(rules.askFirst || rules.askAlways) || !services_.readInfo || !services_.availableMemory) {
        return std::nullopt;
    }
    ImageInfo info;
    try {
        info = infoOfWhole(page, rules);
    } catch (const Error&) {
        return std::nullopt; // the read reports the error
    }
    std::optional<MemoryPlan> plan = planFor(info, page, request);
    return plan && (plan->mustAsk() || rules.askAlways) ? std::move(plan) : std::nullopt;
}

ImageInfo PageImageReader::infoOfWhole(OpenRequest page, const LoadRules& rules) const {
    page.region.reset();
    page.shrink = 1;
    return services_.readInfo(QFileInfo(page.path).filesystemFilePath(), page.options(rules.limits));
}

std::optional<MemoryPlan> PageImageReader::planFor(const ImageInfo& info, const OpenRequest& page,
                                                   const TreeRequest& request) const {
    if (!services_.availableMemory) {
        return std::nullopt;
    }
    const Engine& engine = services_.selectEngine(request.engine);
    std::error_code ignored;
    const MemoryThere there{services_.availableMemory(), engine.name() == kFallbackEngine ? 0 : engine.memoryBytes()};
    const std::filesystem::path file = QFileInfo(page.path).filesystemFilePath();
    const bool inBands = services_.readsRegions && services_.readsRegions(file, page.options({}));
    const std::uintmax_t bytes = std::filesystem::file_size(file, ignored);
    const bool isFile = std::filesystem::is_regular_file(file, ignored);
    return planMemory(info, page, isFile ? bytes : 0, there, !effectiveStages(request.earlier).empty(), inBands);
}

DecidedRequest PageImageReader::decide(const OpenRequest& asked, const LoadRules& rules,
                                       const TreeRequest& tree) const {
    DecidedRequest decided{asked, 0, asked.page, std::nullopt};
    decided.request.mayReduce = false;
    decided.request.slices = Slices::pages; // unless it is found to be a volume
    const bool mayBeVolume =
        services_.readVolume && services_.readInfo && asked.slices != Slices::pages && !asked.projection;
    if (!mayBeVolume || (asked.slices == Slices::automatic && asked.isReduced())) {
        return decided;
    }
    try {
        const ImageInfo info = infoOfWhole(asked, rules);
        OpenRequest volume = asked;
        volume.mayReduce = false;
        volume.slices = Slices::volume;
        if (asked.slices == Slices::automatic) {
            if (!statesVolume(info)) {
                return decided;
            }
            if (rules.slices == Slices::pages) {
                const SlicePages pages = slicePages(info);
                const bool isStart = asked.page == 0 && !rules.projection;
                decided.request.projection = rules.projection;
                decided.request.page += isStart ? pages.count / 2 * pages.stride : 0; // the middle, as of a volume
                decided.page = decided.request.page;
                return decided;
            }
            // The CPU engine takes over if only the memory of the device is too small.
            if (auto plan = planFor(info, volume, tree); plan && plan->mustAsk() && !plan->cpuFits) {
                decided.tooLarge = std::move(plan);
                return decided;
            }
        }
        volume.page = slicePages(info).first;
        const SlicePages pages = pagesRead(info, volume);
        // A volume opens at its middle slice, which usually shows most.
        const bool isOpened = asked.slices == Slices::automatic && asked.page == 0;
        const int slice = isOpened ? pages.count / 2 : (asked.page - pages.first) / pages.stride;
        decided.slice = static_cast<std::uint32_t>(std::clamp(slice, 0, pages.count - 1));
        decided.page = pages.first + static_cast<int>(decided.slice) * pages.stride;
        decided.request = std::move(volume);
    } catch (const Error&) { // the read reports the error
        decided.request.slices = asked.slices;
    }
    return decided;
}

PageImage PageImageReader::read(const OpenRequest& page, std::uint32_t slice, const LoadRules& rules,
                                const JobControl& control) const {
    const bool isVolume = page.slices == Slices::volume;
    const auto& reader = isVolume ? services_.readVolume : services_.read;
    LoadedImage loaded = reader(QFileInfo(page.path).filesystemFilePath(), page.options(rules.limits), control);
    findGroundSize(loaded.info, loaded.image->width(), loaded.image->height());
    PageImage image;
    (isVolume ? image.volume : image.image) = std::move(loaded.image);
    (isVolume ? image.volumeValid : image.valid) = std::move(loaded.valid);
    image.fileInfo = std::make_shared<const ImageInfo>(std::move(loaded.info));
    image.pixelSize = image.fileInfo->pixelSize;
    if (isVolume) {
        image.slices = pagesRead(*image.fileInfo, page);
        image.slice = std::min(slice, image.volume->extent().slices - 1);
    }
    return image;
}

void PageImageReader::addDisplay(PageImage& image, const JobControl& control) const {
    image.histogram = std::make_shared<const LevelHistogram>(inEvenLevels(
        countLevels(*image.whole(), {{}, nullptr, image.wholeValid().get()}, control), image.fileInfo->mapping));
    if (image.volume) {
        showPlane(image, image.plane(), control);
    } else {
        addPyramid(image, control);
    }
}

void PageImageReader::addPyramid(PageImage& image, const JobControl& control) const {
    std::shared_ptr<const Coverage> coverage;
    if (image.valid) {
        const std::size_t levels = Pyramid::levelsOf(image.image->width(), image.image->height());
        coverage = std::make_shared<const Coverage>(image.valid, levels, control);
    }
    image.pyramid = pyramidOf(image, inEvenLevels(image.image, image.fileInfo->mapping), std::move(coverage), control);
}

std::shared_ptr<const Pyramid> PageImageReader::pyramidOf(const ShownImage& shown, std::shared_ptr<const Image> image,
                                                          std::shared_ptr<const Coverage> coverage,
                                                          const JobControl& control) const {
    PyramidPool ofSections; // their sizes differ: they would take the memory from the slices
    PyramidPool& pool = shown.across == VolumeAxis::z ? pyramids_ : ofSections;
    return pool.make(std::move(image), std::move(coverage), control);
}

void PageImageReader::showPlane(PageImage& image, const VolumePlane& plane, const JobControl& control) const {
    const Extent& extent = image.volume->extent();
    const bool isSlice = plane.across == VolumeAxis::z;
    const auto planeOf = [&](const Image& volume) {
        return std::make_shared<const Image>(isSlice ? sliceOf(volume, plane.at) : imageOf(plane, volume));
    };
    image.across = plane.across;
    image.slice = plane.at;
    image.turn = plane.turn;
    image.image = planeOf(*image.volume);
    if (image.volumeInput) {
        image.input = planeOf(*image.volumeInput);
    }
    if (const auto& valid = image.volumeValid) {
        image.valid = std::make_shared<const Mask>(isSlice ? valid->rows(plane.at * extent.height, extent.height)
                                                           : imageOf(plane, *valid, extent));
    }
    addPyramid(image, control);
    if (isSlice) {
        auto info = std::make_shared<ImageInfo>(*image.fileInfo);
        info->page = image.slices.first + static_cast<int>(plane.at) * image.slices.stride;
        image.fileInfo = std::move(info);
    }
}

namespace {

// Ends of the steps on the progress bar, in proportion to their times for a 20 MPix photo.
constexpr double kTreeEnd = 0.85;
constexpr double kMeasureEnd = 0.95;

/// The image that a stage gets: lengths that are ranks at even distances if the operator uses distances of values.
void prepare(LoadedImage& left, const FilterStages& stages, std::size_t next, const JobControl& control) {
    const auto& operation = stages[next].operation;
    std::optional<ValueMapping>& mapping = left.info.mapping;
    if (operation && needsProportional(operation->kind) && mapping && mapping->ranks &&
        givesLengths(std::span(stages).first(next))) {
        OperatorResult even = evenLengths(*left.image, *mapping, control);
        left.image = std::move(even.image);
        mapping = std::move(even.mapping);
    }
}

} // namespace

FilterSpec pixelsOf(const FilterSpec& spec, const PageImage& image) {
    return inPixelsWherePossible(spec, image.units());
}

bool dependsOnPixelSize(std::span<const FilterStage> earlier) {
    return std::ranges::any_of(earlier, [](const FilterStage& stage) {
        return stage.on && (stage.operation ? takesLengths(stage.operation->kind) : hasUnits(stage.filter));
    });
}

std::shared_ptr<const AttributeColumn> columnOf(Session& session, AttributeId id, const JobControl& control) {
    const auto tree = session.tree();
    if (!tree || isMeasured(id, tree->extent().isVolume())) {
        return session.attribute(id, control);
    }
    Buffer<double> undefined(tree->nodeCount());
    std::ranges::fill(undefined, std::numeric_limits<double>::quiet_NaN());
    return std::make_shared<const AttributeColumn>(AttributeColumn{id, std::move(undefined)});
}

bool areRanks(const PageImage& image, const FilterSpec& spec) {
    return image.mapping && !image.mapping->isProportional() && spec.output == Output::filtered;
}

bool isStretched(const ShownImage& image, Output output) {
    return output == Output::residue || output == Output::labels || (output == Output::filtered && image.hasLengths);
}

PageBuilder::PageBuilder(const DocumentServices& services, const PageImageReader& reader)
    : services_(services), reader_(reader) {}

void PageBuilder::setInput(Engine& engine, PageImage& image, const FilterStages& earlier, const OpenedPage* present,
                           const JobContext& context) const {
    const FilterStages stages = effectiveStages(earlier);
    LoadedImage left{image.whole(), image.wholeValid(), {}};
    left.info.mapping = image.fileInfo ? image.fileInfo->mapping : std::nullopt;
    left.info.pixelSize = image.pixelSize;
    std::size_t done = 0;
    if (present != nullptr && present->image.whole() == image.whole()) {
        const FilterStages known = effectiveStages(present->request.earlier);
        const bool sameBounds = !dependsOnPixelSize(known) || present->tree.pixelSize == image.pixelSize;
        if (sameBounds && known.size() <= stages.size() && std::equal(known.begin(), known.end(), stages.begin())) {
            left.image = present->image.analysed();
            left.info.mapping = present->image.mapping;
            done = known.size();
        }
    }
    const auto count = static_cast<double>(stages.size() - done);
    for (std::size_t i = done; i < stages.size(); ++i) {
        const auto before = static_cast<double>(i - done);
        const JobContext part = context.share(before / count, (before + 1) / count);
        try {
            FilterStage stage = stages[i];
            prepare(left, stages, i, part.part(0, 0));
            const ImageUnits units(left.info, image.volume != nullptr);
            if (!stage.operation) {
                stage.filter = inPixelsWherePossible(stage.filter, units);
                if (needsProportional(stage.filter)) {
                    requireProportional(left.info.mapping, "differences of values");
                }
                stage.tree.connectivity = correspondingConnectivity(left.image->extent(), stage.tree.connectivity);
            } else if (units.isVolume && takesLengths(stage.operation->kind)) {
                left.image = withSides(left.image, image.pixelSize, *image.fileInfo);
            }
            const Recipe one{"earlier", {}, {}, recipeStepsOf(std::span(&stage, 1))};
            RecipeResult result = runRecipe(one, left, engine, services_.sessionOptions, part.stop, part.progress);
            left.image = std::move(result.image);
            left.info.mapping = result.own ? result.own : mappingAfter(left.info.mapping, result.values);
        } catch (const Error& error) {
            throw Error(error.code(), "earlier filter " + std::to_string(i + 1) + ": " + error.what());
        }
    }
    const auto input = stages.empty() ? nullptr : left.image;
    image.mapping = left.info.mapping;
    image.hasLengths = givesLengths(stages);
    image.volumeInput = image.volume ? input : nullptr;
    image.input = image.volume && input ? std::make_shared<const Image>(sliceOf(*input, image.slice)) : input;
}

OpenedPage PageBuilder::build(Engine& engine, const PageImage& image, const TreeRequest& request,
                              const OpenedPage* present, const JobContext& context) {
    const auto filters = static_cast<double>(effectiveStages(request.earlier).size());
    const double treeFrom = filters / (filters + 1);
    const JobContext rest = context.share(treeFrom, 1);
    OpenedPage opened;
    opened.image = image;
    setInput(engine, opened.image, request.earlier, present, context.share(0, treeFrom));
    opened.request = request;
    opened.session = engine.openSession(services_.sessionOptions);
    opened.session->open(opened.image.analysed(), image.inside, opened.image.mapping);
    opened.tree.spec = request.spec;
    opened.tree.spec.connectivity = correspondingConnectivity(image.whole()->extent(), request.spec.connectivity);
    opened.tree.domain = request.domain;
    opened.tree.earlier = request.earlier;
    opened.tree.pixelSize = image.pixelSize;
    opened.tree.report = opened.session->buildTree(opened.tree.spec, rest.part(0, kTreeEnd));
    opened.tree.tree = opened.session->tree();
    opened.tree.nodes = opened.session->deviceNodes();
    for (const AttributeId id : request.attributes) {
        opened.tree.attributes.emplace_back(id, columnOf(*opened.session, id, rest.part(kTreeEnd, kMeasureEnd)));
    }
    opened.tree.frame = filter(engine, *opened.session, opened.image, request.filter, rest.part(kMeasureEnd, 1));
    opened.tree.engine = {request.engine, engine.name(), engine.device(), {}, &engine};
    return opened;
}

FrameResult PageBuilder::filter(Engine& engine, Session& session, const PageImage& image, const FilterSpec& spec,
                                const JobControl& control) {
    FrameResult frame;
    const bool isSection = image.across != VolumeAxis::z; // shown next to the slices, whose memory is reused
    const Image& analysed = !isSection ? *image.analysed() : image.input ? *image.input : *image.image;
    const std::shared_ptr<Image> target =
        isSection ? std::make_shared<Image>(analysed.type(), analysed.width(), analysed.height())
                  : frames_.acquire(analysed.type(), analysed.width(), analysed.height());
    frame.report = image.volume ? session.filterPlane(pixelsOf(spec, image), image.plane(), *target, control)
                                : session.filter(pixelsOf(spec, image), *target, control);
    const bool isEven = areRanks(image, spec); // the device has ranks, which are not displayed
    frame.deviceFrame = isSection || isEven ? nullptr : session.deviceFrame();
    frame.image = target;
    if (image.isShown()) {
        const std::shared_ptr<const Image> shown = isEven ? inEvenLevels(target, image.mapping) : target;
        frame.brightLevel = isStretched(image, spec.output) ? brightLevel(*shown) : std::uint16_t{0};
        if (wantsPyramids_ || !frame.deviceFrame) {
            frame.pyramid = reader_.pyramidOf(image, shown, image.pyramid->coverage(), control);
        }
    }
    frame.engine = &engine;
    frame.spec = spec;
    return frame;
}

} // namespace pollard::vm

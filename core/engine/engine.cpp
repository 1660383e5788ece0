#include "engine/engine.hpp"

#include "analysis/attribute_plane.hpp"
#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "analysis/watershed.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/components.hpp"
#include "components/objects/object_stream.hpp"
#include "components/threshold.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"
#include "image/volume_plane.hpp"
#include "snake/snake_job.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Labels a mask and measures its objects on an image, as Engine::labelComponents().
using LabelMask =
    std::function<Components(const Mask& mask, const Image& grey, const ComponentsSpec& spec, const JobControl&)>;

class HostFrameWorker final : public FrameWorker {
public:
    HostFrameWorker(LabelMask label, ComponentsSpec spec, int threads)
        : label_(std::move(label)), spec_(std::move(spec)), arena_(threads) {}

    [[nodiscard]] Components find(const StreamFrame& frame, const JobControl& control) override {
        return arena_.execute([&] {
            const Mask mask = thresholdMask(*frame.image, frame.low, frame.high, frame.valid.get(), control);
            return label_(mask, *frame.image, spec_, control);
        });
    }

private:
    LabelMask label_;
    ComponentsSpec spec_;
    tbb::task_arena arena_;
};

/// Workers that threshold on the host and pass the mask to @p label. The threads are divided evenly among the frames in
/// flight, at least one each.
/// @param inFlight concurrent frames, at least 1; limited to the number of threads
/// @param threads in total; 0 = all cores
std::vector<std::unique_ptr<FrameWorker>> makeFrameWorkers(const LabelMask& label, const ComponentsSpec& spec,
                                                           int inFlight, int threads) {
    const int all = threads > 0 ? threads : tbb::info::default_concurrency();
    const int count = std::clamp(inFlight, 1, all);
    std::vector<std::unique_ptr<FrameWorker>> workers;
    for (int i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<HostFrameWorker>(label, spec, all / count + (i < all % count ? 1 : 0)));
    }
    return workers;
}

constexpr std::size_t kRowsOfTask = 16; ///< of an image, for a thread

} // namespace

void Session::open(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> inside,
                   std::optional<ValueMapping> mapping) {
    if (image == nullptr) {
        throw Error(ErrorCode::invalidArgument, "open image: there is none");
    }
    if (inside == nullptr) {
        setImage(std::move(image));
        analyseAll();
        mapping_ = std::move(mapping);
        return;
    }
    requireFits(*inside, *image);
    setImage(nullptr); // its levels outside depend on the kind of tree
    mapping_ = std::move(mapping);
    image_ = std::move(image);
    inside_ = std::move(inside);
    analysedFor_.reset();
}

void Session::analyseAll() noexcept {
    mapping_.reset();
    image_.reset();
    inside_.reset();
    analysedFor_.reset();
}

TreeReport Session::buildTree(const TreeSpec& spec, const JobControl& control) {
    if (inside_ != nullptr && analysedFor_ != spec.kind) {
        analysedFor_.reset();
        setImage(analysisImage(image_, inside_.get(), spec.kind, control.withoutProgress()));
        analysedFor_ = spec.kind;
    }
    return build(spec, control);
}

FilterReport Session::filter(const FilterSpec& spec, Image& out, const JobControl& control) {
    requireProportionalFor(spec);
    FilterReport report = runFilter(spec, out, control);
    restoreOutside(spec.output, out, control);
    return report;
}

ValueResult Session::filterRanks(const FilterSpec& spec, const JobControl& control) {
    const auto tree = this->tree();
    if (tree == nullptr || !mapping_ || mapping_->ranks == nullptr) {
        throw Error(ErrorCode::invalidArgument, "filter: needs a tree of levels that are ranks");
    }
    StageTimer timer;
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    const auto area = attribute(AttributeId::area, control);
    const NodeDecision decision = decideNodes(*tree, spec, columns, control);
    timer.finish("decide");
    RankedOutput own = outputOfRanks(*tree, spec, decision, *mapping_, inside_ != nullptr, control);
    ValueResult result{std::make_shared<Image>(PixelType::u16, tree->extent()), std::move(own.mapping), {}};
    result.report.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0});
    result.report.removedNodes = tree->nodeCount() - result.report.keptNodes;
    result.report.unknownPicks = decision.unknownPicks;
    result.report.changedPixels = countChangedPixels(*tree, filteredLevels(*tree, spec.rule, decision.keep), *area);
    timer.finish("levels");
    std::uint16_t* const pixels = result.image->pixels<std::uint16_t>().data();
    forEachIndex(tree->pixelCount(), control,
                 [&](std::size_t pixel) { pixels[pixel] = own.nodes[tree->pixelNode[pixel]]; });
    if (inside_ != nullptr) {
        for (std::uint32_t y = 0; y < image_->extent().rows(); ++y) {
            const std::size_t row = std::size_t{y} * image_->width();
            forEachRun(*inside_, y, false, [&](std::uint32_t first, std::uint32_t last) {
                for (std::size_t pixel = row + first; pixel < row + last; ++pixel) {
                    pixels[pixel] = own.outside[std::min<std::size_t>(image_->level(pixel), own.outside.size() - 1)];
                }
            });
        }
    }
    timer.finish("paint");
    result.report.milliseconds = timer.totalMilliseconds();
    result.report.stages = timer.take();
    return result;
}

FilterReport Session::filterPlane(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                  const JobControl& control) {
    requireProportionalFor(spec);
    FilterReport report = runPlaneFilter(spec, plane, out, control);
    if (inside_ != nullptr) {
        pollard::restoreOutside(imageOf(plane, *image_), imageOf(plane, *inside_, image_->extent()), spec.output, out,
                                control);
    }
    return report;
}

LabelImage Session::labels(const FilterSpec& spec, const JobControl& control) {
    LabelImage labels = label(spec, control);
    clearOutside(labels);
    return labels;
}

std::optional<FilterReport> Session::filterOnDevice(const FilterSpec& spec, const JobControl& control) {
    requireProportionalFor(spec);
    return inside_ == nullptr ? runFilterOnDevice(spec, control) : std::nullopt;
}

void Session::requireProportionalFor(const FilterSpec& spec) const {
    if (needsProportional(spec)) {
        requireProportional(mapping_, spec.output == Output::residue ? "output residue" : "rule subtractive");
    }
}

void Session::restoreOutside(Output output, Image& out, const JobControl& control) const {
    if (inside_ != nullptr) {
        pollard::restoreOutside(*image_, *inside_, output, out, control);
    }
}

void Session::clearOutside(LabelImage& labels) const {
    if (inside_ == nullptr) {
        return;
    }
    for (std::uint32_t y = 0; y < inside_->height(); ++y) {
        std::uint32_t* const row = labels.labels.data() + std::size_t{y} * labels.width;
        forEachRun(*inside_, y, false,
                   [row](std::uint32_t first, std::uint32_t last) { std::fill(row + first, row + last, 0U); });
    }
}

Session::SlicedFilter Session::decideSliced(const std::shared_ptr<const ComponentTree>& tree, const FilterSpec& spec,
                                            const JobControl& control) {
    StageTimer timer;
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    const auto area = attribute(AttributeId::area, control);
    const NodeDecision decision = decideNodes(*tree, spec, columns, control);
    timer.finish("decide");
    SlicedFilter sliced{tree, spec, outputValues(*tree, spec, decision, control), {}};
    sliced.report.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0});
    sliced.report.removedNodes = tree->nodeCount() - sliced.report.keptNodes;
    sliced.report.unknownPicks = decision.unknownPicks;
    if (spec.output == Output::filtered) {
        sliced.report.changedPixels = countChangedPixels(*tree, sliced.values, *area);
    } else {
        sliced.report.changedPixels = countChangedPixels(*tree, filteredLevels(*tree, spec.rule, decision.keep), *area);
    }
    timer.finish("levels");
    sliced.report.milliseconds = timer.totalMilliseconds();
    sliced.report.stages = timer.take();
    return sliced;
}

FilterReport Session::runPlaneFilter(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                     const JobControl& control) {
    const auto tree = this->tree();
    if (tree == nullptr) {
        throw Error(ErrorCode::invalidArgument, "filter: build a tree first");
    }
    const PlaneVoxels voxels = voxelsOf(plane, tree->extent());
    if (out.type() != tree->pixelType || out.extent() != Extent{voxels.width, voxels.height, 1}) {
        throw Error(ErrorCode::invalidArgument, "filter a plane: the output image differs from it in type or size");
    }
    try {
        if (!sliced_ || sliced_->tree.lock() != tree || !(sliced_->spec == spec)) {
            sliced_ = decideSliced(tree, spec, control);
        }
        const std::uint32_t* const nodes = tree->pixelNode.data();
        const std::uint16_t* const values = sliced_->values.data();
        dispatch(out.type(), [&]<class T>(T) {
            T* const pixels = out.pixels<T>().data();
            forEachIndex(
                voxels.height, control,
                [=](std::size_t y) {
                    voxels.forEachInRow(static_cast<std::uint32_t>(y), [=](std::size_t pixel, std::size_t voxel) {
                        pixels[pixel] = static_cast<T>(values[nodes[voxel]]);
                    });
                },
                kRowsOfTask);
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "filter: no memory for " + std::to_string(tree->nodeCount()) + " nodes");
    }
    return sliced_->report;
}

LabelImage Session::label(const FilterSpec& spec, const JobControl& control) {
    const auto tree = this->tree();
    if (tree == nullptr) {
        throw Error(ErrorCode::invalidArgument, "label components: build a tree first");
    }
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    try {
        return labelKept(*tree, spec, columns, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "label components: no memory for " + std::to_string(tree->pixelCount()) + " pixels");
    }
}

void Session::fetchFrame(const DeviceFrame& /*frame*/, Image& /*out*/, const JobControl& /*control*/) {
    throw Error(ErrorCode::invalidArgument, "fetch an image: it was made by another session");
}

AttributePlane Session::plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                              const JobControl& control) {
    const auto columnX = attribute(idX, control);
    const auto columnY = attribute(idY, control);
    return attributePlane(*columnX, specX, *columnY, specY, control);
}

PatternSpectrum Session::spectrum(AttributeId id, const BinSpec& spec, const JobControl& control) {
    const auto area = attribute(AttributeId::area, control);
    const auto column = attribute(id, control);
    return patternSpectrum(*tree(), *area, *column, spec, control, mapping_);
}

PatternSpectrum2d Session::spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                      const JobControl& control) {
    const auto area = attribute(AttributeId::area, control);
    const auto columnX = attribute(idX, control);
    const auto columnY = attribute(idY, control);
    return patternSpectrum2d(*tree(), *area, *columnX, specX, *columnY, specY, control, mapping_);
}

Components Engine::labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                   const JobControl& control) {
    return pollard::labelComponents(mask, grey, spec, control);
}

Buffer<std::uint32_t> Engine::squaredDistances(const Mask& mask, std::uint32_t slices, const JobControl& control) {
    return pollard::squaredDistances(mask, slices, control);
}

Buffer<std::uint32_t> Engine::watershed(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                        const WatershedSpec& spec, const JobControl& control) {
    return pollard::watershed(image, seeds, inside, spec, control);
}

std::unique_ptr<ObjectStream> Engine::streamObjects(const ComponentsSpec& spec, int inFlight,
                                                    const SessionOptions& options) {
    const auto label = [this](const Mask& mask, const Image& grey, const ComponentsSpec& each,
                              const JobControl& control) { return labelComponents(mask, &grey, each, control); };
    return std::make_unique<ObjectStream>(makeFrameWorkers(label, spec, inFlight, options.threads));
}

Hierarchy Engine::makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                const JobControl& control) {
    return pollard::makeHierarchy(image, valid, spec, control);
}

SnakeResult Engine::runSnake(const SnakeJob& job, const std::function<bool(std::size_t, const SnakeState&)>& listener,
                             const JobControl& control) {
    return pollard::runSnake(job, listener, control);
}

} // namespace pollard

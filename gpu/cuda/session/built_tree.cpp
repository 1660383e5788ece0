#include "cuda/session/built_tree.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/nodes/bin_nodes.hpp"
#include "cuda/nodes/measure_facts.hpp"
#include "cuda/nodes/node_machine.hpp"
#include "filter/filter_columns.hpp"
#include "filter/forest.hpp"
#include "tree/stability.hpp"

#include <algorithm>
#include <string>
#include <tbb/info.h>
#include <type_traits>
#include <utility>

namespace pollard::cuda {

HostTransfers::HostTransfers(int threads, std::shared_ptr<DeviceMemory> memory)
    : arena_(threads > 0 ? threads : tbb::task_arena::automatic), staging_(std::move(memory)) {
    if (threads > tbb::info::default_concurrency()) {
        moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
}

void HostTransfers::upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                           const std::string& operation) {
    StageTimer timer;
    arena_.execute([&] { staging_.upload(device, host, bytes, control, operation); });
    timer.finish("upload");
    addTime("upload", timer.totalMilliseconds());
}

void HostTransfers::download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                             const std::string& operation) {
    StageTimer timer;
    arena_.execute([&] { staging_.download(host, device, bytes, control, operation); });
    timer.finish("download");
    addTime("download", timer.totalMilliseconds());
}

void HostTransfers::addTime(const std::string& stage, double milliseconds) {
    const auto same =
        std::find_if(times_.begin(), times_.end(), [&](const StageTime& each) { return each.name == stage; });
    if (same != times_.end()) {
        same->milliseconds += milliseconds;
    } else {
        times_.push_back({stage, milliseconds});
    }
}

void HostTransfers::addTimes(const std::vector<StageTime>& stages) {
    for (const StageTime& stage : stages) {
        addTime(stage.name, stage.milliseconds);
    }
}

namespace {

constexpr const char* kMeasuring = "measure components";
constexpr const char* kCounting = "sort components into bins";
/// A spectrum excludes the root.
constexpr std::uint32_t kFirstOfSpectrum = 1;

std::string textOf(AttributeId id) { return "attribute '" + std::string(attributeInfo(id).name) + "'"; }

bool isInValues(const DeviceColumn& column) {
    return attributeInfo(column.id).integral && std::holds_alternative<DeviceBuffer<double>>(column.values);
}

Bins spectrumBins(const DeviceColumn& column, const BinSpec& spec, const ColumnRange& range) {
    return makeBins(spec, range.minimum, range.maximum, attributeInfo(column.id).integral && !isInValues(column));
}

} // namespace

BuiltTree::BuiltTree(const TreeSpec& spec, DeviceTree device, const DeviceImage& image, const VoxelSides& sides,
                     std::optional<ValueMapping> mapping, std::shared_ptr<DeviceMemory> memory,
                     HostTransfers& transfers)
    : spec_(spec), device_(std::move(device)), image_(image), sides_(sides), mapping_(std::move(mapping)),
      memory_(std::move(memory)), transfers_(transfers),
      nodes_(std::make_shared<const CudaNodes>(device_.pixelNode, image.extent(), memory_->stream())) {}

template <class Work> decltype(auto) BuiltTree::timed(const JobControl& control, const Work& work) {
    control.throwIfStopped();
    StageClock clock(memory_->stream());
    decltype(auto) result = work(clock);
    waitFor(*memory_, control, kMeasuring);
    transfers_.addTimes(clock.take());
    if constexpr (std::is_lvalue_reference_v<decltype(result)>) {
        return static_cast<decltype(result)>(result);
    } else {
        return std::remove_cvref_t<decltype(result)>(std::move(result));
    }
}

const std::shared_ptr<const ComponentTree>& BuiltTree::host(const JobControl& control) {
    if (host_ == nullptr) {
        host_ = withHostMemory("fetch the tree", [&] {
            auto tree = std::make_shared<ComponentTree>();
            tree->kind = spec_.kind;
            tree->connectivity = spec_.connectivity;
            tree->pixelType = image_.type;
            tree->width = image_.width;
            tree->height = image_.height;
            tree->slices = image_.slices;
            tree->sides = sides_;
            tree->leafCount = device_.leafCount;
            tree->depth = device_.depth;
            const auto fetchArray = [&]<class T>(Buffer<T>& to, const DeviceBuffer<T>& from) {
                to = Buffer<T>(from.size());
                transfers_.download(to.data(), from.data(), from.bytes(), control, "fetch the tree");
            };
            fetchArray(tree->pixelNode, *device_.pixelNode);
            fetchArray(tree->parent, device_.parent);
            fetchArray(tree->level, device_.level);
            fetchArray(tree->subtreeEnd, device_.subtreeEnd);
            fetchArray(tree->canonical, device_.canonical);
            return std::shared_ptr<const ComponentTree>(std::move(tree));
        });
    }
    return host_;
}

std::shared_ptr<const AttributeColumn> BuiltTree::attribute(AttributeId id, const JobControl& control) {
    if (const auto known = hostColumns_.find(id); known != hostColumns_.end()) {
        return known->second;
    }
    auto column = withHostMemory(textOf(id), [&] {
        if (id == AttributeId::area) { // most filters use it next
            return std::make_shared<const AttributeColumn>(fetch(deviceColumn(id, control), control));
        }
        if (const auto known = deviceColumns_.find(id); known != deviceColumns_.end()) {
            return std::make_shared<const AttributeColumn>(fetch(known->second, control));
        }
        if (measuresOnDevice(id)) {
            return std::make_shared<const AttributeColumn>(fetch(measure(id, control), control));
        }
        const auto& tree = host(control);
        if (hostAttributes_ == nullptr) {
            hostAttributes_ = std::make_unique<cpu::NodeAttributes>(tree, mapping_);
        }
        return std::make_shared<const AttributeColumn>(
            transfers_.onHost([&] { return hostAttributes_->compute(id, control); }));
    });
    hostColumns_.emplace(id, column);
    return column;
}

BuiltTree::Decision BuiltTree::decisionOf(const FilterSpec& spec, const JobControl& control) {
    control.throwIfStopped();
    Decision result;
    if (!spec.forest.trees.empty()) {
        const FilterColumns columns = pollard::columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
        result.forest = meetForest(*host(control), spec, columns, control);
    }
    for (const Criterion& criterion : spec.criteria) {
        result.columns.push_back(&deviceColumn(criterion.attribute, control));
    }
    const DeviceColumn* prominence =
        spec.prominent ? &deviceColumn(attributeOf(spec.prominent->measure), control) : nullptr;
    const RankedNodes<DeviceBuffer<std::uint32_t>>* ranked = nullptr;
    if (spec.rule == Rule::viterbi) {
        ranked = &timed(
            control, [&](StageClock & clock) -> auto& { return measures().rankedNodes(clock); });
    }
    result.input.emplace(FilterInput{device_,
                                     planOf(device_, spec_, image_),
                                     ownPixels(control),
                                     result.columns,
                                     prominence,
                                     ranked,
                                     {result.forest.data(), result.forest.size()}});
    return result;
}

std::optional<AttributePlane> BuiltTree::plane(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                               const BinSpec& specY, const JobControl& control) {
    const std::uint64_t cells = std::uint64_t{specX.count} * specY.count;
    if (estimatePlaneBytes(std::min<std::uint64_t>(cells, AttributePlane::kMostCells)) > memory_->available()) {
        return std::nullopt;
    }
    const DeviceColumn& columnX = deviceColumn(idX, control);
    const DeviceColumn& columnY = deviceColumn(idY, control);
    return timed(control, [&](StageClock& clock) {
        NodeMachine machine(memory_, clock, control, kCounting);
        Bins x = planeBins(idX, specX, finiteRangeOf(machine, columnX.values, 0, specX.scale == BinScale::log),
                           isInValues(columnX));
        Bins y = planeBins(idY, specY, finiteRangeOf(machine, columnY.values, 0, specY.scale == BinScale::log),
                           isInValues(columnY));
        requireFewCells(x, y);
        const BinAxis axisX{columnX.values, x};
        const BinAxis axisY{columnY.values, y};
        auto sums = sumsInPlane(machine, axisX, axisY);
        machine.finish("bins");
        return planeOf(idX, idY, std::move(x), std::move(y), std::move(sums));
    });
}

std::optional<PatternSpectrum> BuiltTree::spectrum(AttributeId id, const BinSpec& spec, const JobControl& control) {
    if (estimateBinBytes(device_.nodeCount, spec.count) > memory_->available()) {
        return std::nullopt;
    }
    const DeviceColumn& column = deviceColumn(id, control);
    const auto& own = ownPixels(control);
    return timed(control, [&](StageClock& clock) {
        NodeMachine machine(memory_, clock, control, kCounting);
        Bins bins = spectrumBins(column, spec,
                                 finiteRangeOf(machine, column.values, kFirstOfSpectrum, spec.scale == BinScale::log));
        const BinAxis axis{column.values, bins};
        auto shares = sharesInBins(machine, planOf(device_, spec_, image_), {device_.subtreeEnd.data(), own.data()},
                                   kFirstOfSpectrum, axis);
        machine.finish("bins");
        return spectrumOf(id, rootLevel(), std::move(bins), std::move(shares));
    });
}

std::optional<PatternSpectrum2d> BuiltTree::spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                       const BinSpec& specY, const JobControl& control) {
    if (estimateBinBytes(device_.nodeCount, std::uint64_t{specX.count} * specY.count) > memory_->available()) {
        return std::nullopt;
    }
    const DeviceColumn& columnX = deviceColumn(idX, control);
    const DeviceColumn& columnY = deviceColumn(idY, control);
    const auto& own = ownPixels(control);
    return timed(control, [&](StageClock& clock) {
        NodeMachine machine(memory_, clock, control, kCounting);
        Bins x = spectrumBins(columnX, specX,
                              finiteRangeOf(machine, columnX.values, kFirstOfSpectrum, specX.scale == BinScale::log));
        Bins y = spectrumBins(columnY, specY,
                              finiteRangeOf(machine, columnY.values, kFirstOfSpectrum, specY.scale == BinScale::log));
        requireFewBins(x, y);
        const BinAxis axisX{columnX.values, x};
        const BinAxis axisY{columnY.values, y};
        auto shares = sharesInBins(machine, planOf(device_, spec_, image_), {device_.subtreeEnd.data(), own.data()},
                                   kFirstOfSpectrum, axisX, &axisY);
        machine.finish("bins");
        return spectrumOf(idX, idY, rootLevel(), std::move(x), std::move(y), std::move(shares));
    });
}

void BuiltTree::forgetMeasured() noexcept {
    measures_.reset();
    deviceColumns_.clear();
}

const DeviceColumn& BuiltTree::deviceColumn(AttributeId id, const JobControl& control) {
    if (const auto known = deviceColumns_.find(id); known != deviceColumns_.end()) {
        return known->second;
    }
    DeviceColumn column = hostColumns_.find(id) == hostColumns_.end() && measuresOnDevice(id)
                              ? measure(id, control)
                              : upload(*attribute(id, control), control);
    return deviceColumns_.emplace(id, std::move(column)).first->second;
}

bool BuiltTree::measuresOnDevice(AttributeId id) const {
    const bool isInValues = mapping_ && isColumnInValues(id, *mapping_);
    return !isInValues && canMeasure(id, image_.extent(), spec_.connectivity) &&
           (id == AttributeId::area ||
            estimateMeasureBytes(id, device_.nodeCount, image_.extent()) <= memory_->available());
}

CudaMeasures& BuiltTree::measures() {
    if (measures_ == nullptr) {
        NodePlan plan = planOf(device_, spec_, image_);
        plan.stabilityDelta = stabilityDelta(image_.type, mapping_);
        measures_ = std::make_unique<CudaMeasures>(plan, memory_, VoxelGrid{image_.slices, sides_});
    }
    return *measures_;
}

DeviceColumn BuiltTree::measure(AttributeId id, const JobControl& control) {
    return timed(control, [&](StageClock& clock) { return measures().measure(id, clock); });
}

const DeviceBuffer<std::uint32_t>& BuiltTree::ownPixels(const JobControl& control) {
    return timed(
        control, [&](StageClock & clock) -> auto& { return measures().ownPixels(clock); });
}

AttributeColumn BuiltTree::fetch(const DeviceColumn& column, const JobControl& control) {
    AttributeColumn result{column.id, {}, 0, 0};
    std::visit(
        [&]<class T>(const DeviceBuffer<T>& device) {
            Buffer<T> values(device.size());
            transfers_.download(values.data(), device.data(), device.bytes(), control, "fetch " + textOf(column.id));
            storeRange(result, transfers_.onHost([&] { return parallelRangeOf<T>(values.span()); }));
            result.values = std::move(values);
        },
        column.values);
    return result;
}

DeviceColumn BuiltTree::upload(const AttributeColumn& column, const JobControl& control) {
    DeviceColumn result{column.id, {}};
    std::visit(
        [&]<class T>(const Buffer<T>& values) {
            DeviceBuffer<T> device(memory_, values.size(), "an attribute");
            transfers_.upload(device.data(), values.data(), values.bytes(), control, "upload " + textOf(column.id));
            result.values = std::move(device);
        },
        column.values);
    return result;
}

} // namespace pollard::cuda

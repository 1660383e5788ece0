#include "cuda_session.hpp"

#include "attributes/measure_facts.hpp"
#include "base/error.hpp"
#include "cpu/tree_filter.hpp"
#include "device/mebibytes.hpp"
#include "device/wait.hpp"
#include "maxtree/parent_image.hpp"
#include "tree/frame_gather.cuh"
#include "tree/tree_build.hpp"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <limits>
#include <new>
#include <span>
#include <tuple>
#include <utility>

namespace pollard::cuda {

namespace {

// Progress of a build when there is the tree.
constexpr double kBuilt = 0.98;

/// What blocks take beyond their contents, and the few small ones that no estimate counts.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;

std::uint64_t estimateBuildBytes(PixelType type, std::uint32_t width, std::uint32_t height, const TreeSpec& spec) {
    return estimateDeviceTreeBytes(type, width, height, spec) + kSlack;
}

/// Runs work that may run out of host memory.
template <class Work> decltype(auto) withHostMemory(const std::string& operation, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, operation + ": no memory left on the host");
    }
}

/// Smallest and largest value, NaN left out; twice 0 if there is no other.
template <class T> std::pair<double, double> rangeOf(std::span<const T> values) {
    using Range = std::pair<T, T>;
    using Limits = std::numeric_limits<T>;
    const Range none{Limits::has_infinity ? Limits::infinity() : Limits::max(),
                     Limits::has_infinity ? -Limits::infinity() : Limits::lowest()};
    constexpr std::size_t kGrain = 1U << 16;
    const Range range = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, values.size(), kGrain), none,
        [&](const auto& part, Range found) {
            for (std::size_t i = part.begin(); i != part.end(); ++i) {
                found.first = values[i] < found.first ? values[i] : found.first;
                found.second = values[i] > found.second ? values[i] : found.second;
            }
            return found;
        },
        [](const Range& a, const Range& b) {
            return Range{std::min(a.first, b.first), std::max(a.second, b.second)};
        });
    if (range.first > range.second) {
        return {0, 0};
    }
    return {static_cast<double>(range.first), static_cast<double>(range.second)};
}

} // namespace

CudaSession::CudaSession(const SessionOptions& options)
    : arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic), memory_(DeviceMemory::create()),
      staging_(memory_) {
    if (options.threads > tbb::info::default_concurrency()) {
        moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads));
    }
}

void CudaSession::openImage(std::shared_ptr<const Image> image) {
    if (image == nullptr) {
        throw Error(ErrorCode::invalidArgument, "open image: there is none");
    }
    auto pixels = std::make_shared<DeviceBuffer<std::byte>>(memory_, image->bytes(), "the image");
    upload(pixels->data(), image->data(), image->bytes(), {},
           "upload " + std::to_string(image->width()) + " x " + std::to_string(image->height()) + " px");
    built_.reset();
    frame_.reset();
    image_ = std::move(image);
    pixels_ = std::move(pixels);
}

TreeReport CudaSession::buildTree(const TreeSpec& spec, const JobControl& control) {
    if (image_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build tree: no image is open");
    }
    control.throwIfStopped();
    const std::uint64_t needed = estimateBuildBytes(image_->type(), image_->width(), image_->height(), spec);
    if (built_ != nullptr && needed > memory_->available()) { // what can be measured again
        built_->measures.reset();
        built_->deviceColumns.clear();
    }
    if (const std::uint64_t available = memory_->available(); needed > available) {
        throw Error(ErrorCode::outOfMemory, "build tree of " + sizeText() + ": " + mebibytes(needed) +
                                                " of GPU memory needed, " + mebibytes(available) + " free");
    }
    return withHostMemory("build tree of " + sizeText(), [&] {
        auto built = std::make_unique<Built>();
        built->spec = spec;
        built->spec.algorithm = algorithmOf(spec, image_->type());
        StageClock clock(memory_->stream());
        built->device = buildDeviceTree(deviceImage(), built->spec, memory_, clock, control);
        TreeReport report;
        report.algorithm = built->spec.algorithm;
        report.nodes = built->device.nodeCount;
        report.leaves = built->device.leafCount;
        report.depth = built->device.depth;
        report.rootLevel = built->device.rootLevel;
        report.stages = clock.take();
        report.milliseconds = totalMilliseconds(report.stages);
        control.report(kBuilt, "numbering");
        control.throwIfStopped();
        built_ = std::move(built);
        frame_.reset();
        return report;
    });
}

std::shared_ptr<const ComponentTree> CudaSession::tree() const {
    return built_ == nullptr ? nullptr : hostTree(*built_, {});
}

const std::shared_ptr<const ComponentTree>& CudaSession::hostTree(Built& built, const JobControl& control) const {
    if (built.host == nullptr) {
        built.host = withHostMemory("fetch the tree", [&] {
            auto tree = std::make_shared<ComponentTree>();
            const DeviceTree& device = built.device;
            tree->kind = built.spec.kind;
            tree->connectivity = built.spec.connectivity;
            tree->pixelType = image_->type();
            tree->width = image_->width();
            tree->height = image_->height();
            tree->leafCount = device.leafCount;
            tree->depth = device.depth;
            const auto fetch = [&]<class T>(Buffer<T>& to, const DeviceBuffer<T>& from) {
                to = Buffer<T>(from.size());
                download(to.data(), from.data(), from.bytes(), control, "fetch the tree");
            };
            fetch(tree->pixelNode, *device.pixelNode);
            fetch(tree->parent, device.parent);
            fetch(tree->level, device.level);
            fetch(tree->subtreeEnd, device.subtreeEnd);
            fetch(tree->canonical, device.canonical);
            return std::shared_ptr<const ComponentTree>(std::move(tree));
        });
    }
    return built.host;
}

std::shared_ptr<const AttributeColumn> CudaSession::attribute(AttributeId id, const JobControl& control) {
    Built& built = requireTree("attribute");
    if (const auto known = built.hostColumns.find(id); known != built.hostColumns.end()) {
        return known->second;
    }
    auto column = withHostMemory("attribute '" + std::string(attributeInfo(id).name) + "'", [&] {
        if (id == AttributeId::area) { // which most filters ask for next
            return std::make_shared<const AttributeColumn>(downloadColumn(deviceColumn(built, id, control), control));
        }
        if (const auto known = built.deviceColumns.find(id); known != built.deviceColumns.end()) {
            return std::make_shared<const AttributeColumn>(downloadColumn(known->second, control));
        }
        if (measuresOnDevice(built, id)) {
            return std::make_shared<const AttributeColumn>(downloadColumn(measure(built, id, control), control));
        }
        const auto& tree = hostTree(built, control);
        if (built.hostAttributes == nullptr) {
            built.hostAttributes = std::make_unique<cpu::NodeAttributes>(tree);
        }
        return std::make_shared<const AttributeColumn>(
            arena_.execute([&] { return built.hostAttributes->compute(id, control); }));
    });
    built.hostColumns.emplace(id, column);
    return column;
}

const DeviceColumn& CudaSession::deviceColumn(Built& built, AttributeId id, const JobControl& control) {
    if (const auto known = built.deviceColumns.find(id); known != built.deviceColumns.end()) {
        return known->second;
    }
    DeviceColumn column = built.hostColumns.find(id) == built.hostColumns.end() && measuresOnDevice(built, id)
                              ? measure(built, id, control)
                              : uploadColumn(*attribute(id, control), control);
    return built.deviceColumns.emplace(id, std::move(column)).first->second;
}

bool CudaSession::measuresOnDevice(const Built& built, AttributeId id) const {
    return canMeasure(id, image_->width(), image_->height()) &&
           (id == AttributeId::area || estimateMeasureBytes(id, built.device.nodeCount) <= memory_->available());
}

CudaMeasures& CudaSession::measuresOf(Built& built) const {
    if (built.measures == nullptr) {
        built.measures = std::make_unique<CudaMeasures>(planOf(built.device, built.spec, deviceImage()), memory_);
    }
    return *built.measures;
}

DeviceColumn CudaSession::measure(Built& built, AttributeId id, const JobControl& control) {
    control.throwIfStopped();
    StageClock clock(memory_->stream());
    DeviceColumn column = measuresOf(built).measure(id, clock);
    waitFor(*memory_, control, "measure components");
    for (const StageTime& stage : clock.take()) {
        addTime(stage.name.c_str(), stage.milliseconds);
    }
    return column;
}

AttributeColumn CudaSession::downloadColumn(const DeviceColumn& column, const JobControl& control) {
    AttributeColumn result{column.id, {}, 0, 0};
    std::visit(
        [&]<class T>(const DeviceBuffer<T>& device) {
            Buffer<T> values(device.size());
            download(values.data(), device.data(), device.bytes(), control,
                     "fetch attribute '" + std::string(attributeInfo(column.id).name) + "'");
            arena_.execute([&] { std::tie(result.minimum, result.maximum) = rangeOf<T>(values.span()); });
            result.values = std::move(values);
        },
        column.values);
    return result;
}

DeviceColumn CudaSession::uploadColumn(const AttributeColumn& column, const JobControl& control) {
    DeviceColumn result{column.id, {}};
    std::visit(
        [&]<class T>(const Buffer<T>& values) {
            DeviceBuffer<T> device(memory_, values.size(), "an attribute");
            upload(device.data(), values.data(), values.bytes(), control,
                   "upload attribute '" + std::string(attributeInfo(column.id).name) + "'");
            result.values = std::move(device);
        },
        column.values);
    return result;
}

FilterReport CudaSession::filter(const FilterSpec& spec, Image& out, const JobControl& control) {
    Built& built = requireTree("filter");
    if (out.type() != image_->type() || out.width() != image_->width() || out.height() != image_->height()) {
        throw Error(ErrorCode::invalidArgument, "filter: the output image differs from the input in type or size");
    }
    if (!isRuleForDevice(spec.rule)) {
        return filterOnHost(built, spec, out, control);
    }
    return withHostMemory("filter", [&] {
        const DecisionColumns columns = decisionColumns(built, spec, control);
        StageClock clock(memory_->stream());
        FilteredNodes filtered =
            filterNodes(*columns.input, {pixels_, image_->type(), image_->width(), image_->height()}, spec, memory_,
                        clock, control);
        const DeviceBuffer<std::byte> picture = [&] {
            DeviceBuffer<std::byte> pixels(memory_, image_->bytes(), "the filtered picture");
            dispatch(image_->type(), [&]<class T>(T) {
                check(launchGather(filtered.frame->view<T>(), reinterpret_cast<T*>(pixels.data()), memory_->stream()),
                      "write the filtered picture");
            });
            return pixels;
        }();
        clock.finish("gather");
        FilterReport report;
        report.keptNodes = filtered.keptNodes;
        report.removedNodes = filtered.removedNodes;
        report.changedPixels = filtered.changedPixels;
        report.unknownPicks = filtered.unknownPicks;
        report.stages = clock.take();
        report.milliseconds = totalMilliseconds(report.stages);
        download(out.data(), picture.data(), picture.bytes(), control, "fetch the filtered picture");
        frame_ = std::move(filtered.frame);
        return report;
    });
}

CudaSession::DecisionColumns CudaSession::decisionColumns(Built& built, const FilterSpec& spec,
                                                          const JobControl& control) {
    control.throwIfStopped();
    DecisionColumns result;
    for (const Criterion& criterion : spec.criteria) {
        result.columns.push_back(&deviceColumn(built, criterion.attribute, control));
    }
    const DeviceColumn* prominence =
        spec.prominent ? &deviceColumn(built, attributeOf(spec.prominent->measure), control) : nullptr;
    CudaMeasures& measures = measuresOf(built);
    StageClock clock(memory_->stream());
    const DeviceBuffer<std::uint32_t>& pixelsBefore = measures.ownPixels(clock);
    waitFor(*memory_, control, "measure components");
    for (const StageTime& stage : clock.take()) {
        addTime(stage.name.c_str(), stage.milliseconds);
    }
    result.input.emplace(FilterInput{built.device, planOf(built.device, built.spec, deviceImage()), pixelsBefore,
                                     result.columns, prominence});
    return result;
}

FilterReport CudaSession::filterOnHost(Built& built, const FilterSpec& spec, Image& out, const JobControl& control) {
    return withHostMemory("filter", [&] {
        const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
        const auto& tree = hostTree(built, control);
        FilterReport report =
            arena_.execute([&] { return cpu::filterTree(*tree, *image_, spec, columns, out, control); });
        frame_.reset();
        return report;
    });
}

LabelImage CudaSession::labels(const FilterSpec& spec, const JobControl& control) {
    Built& built = requireTree("label components");
    if (!isRuleForDevice(spec.rule)) {
        return arena_.execute([&] { return Session::labels(spec, control); });
    }
    return withHostMemory("label components", [&] {
        const DecisionColumns columns = decisionColumns(built, spec, control);
        StageClock clock(memory_->stream());
        const DeviceLabels labels = labelKept(*columns.input, spec, memory_, clock, control);
        for (const StageTime& stage : clock.take()) {
            addTime(stage.name.c_str(), stage.milliseconds);
        }
        LabelImage image{Buffer<std::uint32_t>(labels.labels.size()), image_->width(), image_->height(), labels.count};
        download(image.labels.data(), labels.labels.data(), labels.labels.bytes(), control, "fetch labels");
        return image;
    });
}

std::vector<StageTime> CudaSession::takeTransferStages() { return std::exchange(transfers_, {}); }

std::vector<StageTime> CudaSession::timeParentImage(const TreeSpec& spec, const JobControl& control) {
    if (image_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build parent image: no image is open");
    }
    StageClock clock(memory_->stream());
    const auto parents = buildParentImage(deviceImage(), spec, memory_, clock, control);
    return clock.take();
}

std::uint64_t CudaSession::estimateTreeBytes(const Image& image) const {
    std::uint64_t most = 0;
    for (const std::string& algorithm : maxTreeAlgorithms()) {
        try {
            most = std::max(most, estimateBuildBytes(image.type(), image.width(), image.height(),
                                                     {TreeKind::max, Connectivity::eight, algorithm}));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::limitExceeded) { // an algorithm that refuses the image needs nothing
                throw;
            }
        }
    }
    return most;
}

CudaSession::Built& CudaSession::requireTree(const char* operation) const {
    if (built_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, std::string(operation) + ": build a tree first");
    }
    return *built_;
}

DeviceImage CudaSession::deviceImage() const noexcept {
    return {pixels_->data(), image_->type(), image_->width(), image_->height()};
}

std::string CudaSession::sizeText() const {
    return std::to_string(image_->width()) + " x " + std::to_string(image_->height()) + " px";
}

void CudaSession::upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                         const std::string& operation) const {
    StageTimer timer;
    arena_.execute([&] { staging_.upload(device, host, bytes, control, operation); });
    timer.finish("upload");
    addTime("upload", timer.totalMilliseconds());
}

void CudaSession::download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                           const std::string& operation) const {
    StageTimer timer;
    arena_.execute([&] { staging_.download(host, device, bytes, control, operation); });
    timer.finish("download");
    addTime("download", timer.totalMilliseconds());
}

void CudaSession::addTime(const char* stage, double milliseconds) const {
    const auto same =
        std::find_if(transfers_.begin(), transfers_.end(), [&](const StageTime& each) { return each.name == stage; });
    if (same != transfers_.end()) {
        same->milliseconds += milliseconds;
    } else {
        transfers_.push_back({stage, milliseconds});
    }
}

} // namespace pollard::cuda

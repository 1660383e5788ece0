#include "cuda_session.hpp"

#include "base/error.hpp"
#include "cpu/tree_filter.hpp"
#include "device/mebibytes.hpp"
#include "device/wait.hpp"
#include "maxtree/parent_image.hpp"
#include "tree/frame_gather.cuh"
#include "tree/tree_build.hpp"

#include <tbb/info.h>

#include <algorithm>
#include <new>
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

/// Whether filterNodes() does all that a filter asks for; the rest is done on the host.
bool isForDevice(const FilterSpec& spec) {
    const bool rule = spec.rule == Rule::direct || spec.rule == Rule::min || spec.rule == Rule::max;
    return rule && spec.output != Output::labels && !spec.prominent && spec.removed.empty() && spec.kept.empty();
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
    if (const std::uint64_t available = memory_->available(); needed > available) {
        throw Error(ErrorCode::outOfMemory, "build tree of " + sizeText() + ": " + mebibytes(needed) +
                                                " of GPU memory needed, " + mebibytes(available) + " free");
    }
    return withHostMemory("build tree of " + sizeText(), [&] {
        auto built = std::make_unique<Built>();
        built->spec = spec;
        if (spec.algorithm.empty()) {
            built->spec.algorithm = maxTreeAlgorithms().front();
        }
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
        if (id == AttributeId::area) {
            return std::make_shared<const AttributeColumn>(downloadArea(built, control));
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
    DeviceColumn column{id, {}};
    if (id == AttributeId::area) {
        StageClock clock(memory_->stream());
        column.values = computeArea(built.device, memory_, clock);
        waitFor(*memory_, control, "measure areas");
        for (const StageTime& stage : clock.take()) {
            addTime(stage.name.c_str(), stage.milliseconds);
        }
    } else {
        column = uploadColumn(*attribute(id, control), control);
    }
    return built.deviceColumns.emplace(id, std::move(column)).first->second;
}

AttributeColumn CudaSession::downloadArea(Built& built, const JobControl& control) {
    const auto& device = std::get<DeviceBuffer<std::uint32_t>>(deviceColumn(built, AttributeId::area, control).values);
    Buffer<std::uint32_t> area(device.size());
    download(area.data(), device.data(), device.bytes(), control, "fetch areas");
    const auto [smallest, largest] = std::minmax_element(area.begin(), area.end());
    AttributeColumn column{AttributeId::area, {}, static_cast<double>(*smallest), static_cast<double>(*largest)};
    column.values = std::move(area);
    return column;
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
    if (!isForDevice(spec)) {
        return filterOnHost(built, spec, out, control);
    }
    return withHostMemory("filter", [&] {
        std::vector<const DeviceColumn*> columns;
        for (const Criterion& criterion : spec.criteria) {
            columns.push_back(&deviceColumn(built, criterion.attribute, control));
        }
        StageClock clock(memory_->stream());
        FilteredNodes filtered = filterNodes(built.device, {pixels_, image_->type(), image_->width(), image_->height()},
                                             spec, columns, memory_, clock, control);
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
        report.stages = clock.take();
        report.milliseconds = totalMilliseconds(report.stages);
        download(out.data(), picture.data(), picture.bytes(), control, "fetch the filtered picture");
        frame_ = std::move(filtered.frame);
        return report;
    });
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
    return arena_.execute([&] { return Session::labels(spec, control); });
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

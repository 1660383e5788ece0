#include "cuda/session/cuda_session.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "cuda/boruvka/boruvka_tree.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/device_probe.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/tree/device_tree.hpp"
#include "cuda/tree/frame_gather.cuh"
#include "filter/filter_columns.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

namespace {

// Progress of a build when the parent image is complete and numbering starts.
constexpr double kParentsDone = 0.7;

/// Builds the tree of an image, equal to the CPU engine's in every element. Algorithms that yield a parent image are
/// followed by numberNodes(); "boruvka" numbers the nodes from its branches. Records its time as the stages of
/// buildParentImage(), followed by "numbering"; with "boruvka", "numbering" replaces "flatten". Waits for its end.
/// @throws as buildParentImage() and numberNodes()
DeviceTree buildDeviceTree(const DeviceImage& image, const TreeSpec& spec, const std::shared_ptr<DeviceMemory>& memory,
                           StageClock& clock, const JobControl& control) {
    if (const auto tree = maxTreeOf(spec, image.type, image.extent()).tree; tree != nullptr) {
        return tree(image, spec, memory, clock, control);
    }
    auto parents = buildParentImage(image, spec, memory, clock, control);
    control.report(kParentsDone, "numbering");
    return numberNodes(image, spec, std::move(parents), memory, clock, control);
}

/// Upper bound of the peak memory of buildDeviceTree(), bytes, with the result and without the image.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(limitExceeded) as buildParentImage()
std::uint64_t estimateDeviceTreeBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    if (const auto treeBytes = maxTreeOf(spec, type, extent).treeBytes; treeBytes != nullptr) {
        return treeBytes(type, extent, spec);
    }
    return std::max(estimateParentImageBytes(type, extent, spec), estimateNumberingBytes(extent.width, extent.height));
}

// Progress of a build when the tree is complete.
constexpr double kBuilt = 0.98;

/// Rounding of blocks, and small blocks that the estimates omit.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;

std::uint64_t estimateBuildBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    return estimateDeviceTreeBytes(type, extent, spec) + kSlack;
}

std::shared_ptr<DeviceMemory> memoryOn(int device) {
    chooseDevice(device);
    return DeviceMemory::create();
}

bool hasShape(const Image& a, const DeviceImage& b) noexcept { return a.type() == b.type && a.extent() == b.extent(); }

} // namespace

CudaSession::CudaSession(const SessionOptions& options, int device)
    : device_(device), memory_(memoryOn(device)), transfers_(options.threads, memory_) {}

void CudaSession::setImage(std::shared_ptr<const Image> image) {
    chooseDevice(device_);
    if (image == nullptr) {
        built_.reset();
        last_ = {};
        pixels_.reset();
        return;
    }
    auto pixels = std::make_shared<DeviceBuffer<std::byte>>(memory_, image->bytes(), "the image");
    transfers_.upload(pixels->data(), image->data(), image->bytes(), {}, "upload " + text(image->extent()));
    take(std::move(pixels), image->type(), image->extent(), image->sides());
}

void CudaSession::openArray(const DeviceArray& array, const VoxelSides& sides) {
    if (array.type == TexelType::u32) {
        throw Error(ErrorCode::invalidArgument, "open array: the values have 32 bits, not 8 or 16");
    }
    chooseDevice(device_);
    cudaPointerAttributes place{};
    check(cudaPointerGetAttributes(&place, array.values.get()), "open array");
    if (place.type != cudaMemoryTypeDevice && place.type != cudaMemoryTypeManaged) {
        throw Error(ErrorCode::invalidArgument, "open array: the memory is not that of a GPU");
    }
    if (place.device != device_) {
        throw Error(ErrorCode::invalidArgument, "open array: the memory is that of GPU " +
                                                    std::to_string(place.device) + ", the engine uses GPU " +
                                                    std::to_string(device_));
    }
    const PixelType type = array.type == TexelType::u8 ? PixelType::u8 : PixelType::u16;
    const std::string operation = "copy an array of " + text(array.extent);
    auto pixels =
        std::make_shared<DeviceBuffer<std::byte>>(memory_, array.extent.pixelCount() * bytesOf(type), "the image");
    check(cudaDeviceSynchronize(), operation);
    check(cudaMemcpyAsync(pixels->data(), array.values.get(), pixels->bytes(), cudaMemcpyDeviceToDevice,
                          memory_->stream()),
          operation);
    check(cudaStreamSynchronize(memory_->stream()), operation);
    take(std::move(pixels), type, array.extent, sides);
    analyseAll();
}

void CudaSession::take(std::shared_ptr<const DeviceBuffer<std::byte>> pixels, PixelType type, const Extent& extent,
                       const VoxelSides& sides) {
    built_.reset();
    last_ = {};
    pixels_ = std::move(pixels);
    image_ = {pixels_->data(), type, extent.width, extent.height, extent.slices};
    sides_ = sides;
}

TreeReport CudaSession::build(const TreeSpec& spec, const JobControl& control) {
    if (pixels_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build tree: no image is open");
    }
    control.throwIfStopped();
    chooseDevice(device_);
    TreeSpec used = spec;
    used.connectivity = connectivityIn(image_.extent(), spec.connectivity);
    used.algorithm = maxTreeOf(spec, image_.type, image_.extent()).name;
    const std::uint64_t needed = estimateBuildBytes(image_.type, image_.extent(), used);
    if (built_ != nullptr && needed > memory_->available()) { // free memory that can be recomputed
        built_->forgetMeasured();
    }
    const std::uint64_t least = isVolume() ? leastBranchTreeBytes(image_.extent(), used) : needed;
    if (const std::uint64_t available = memory_->available(); least > available) {
        throw Error(ErrorCode::outOfMemory, "build tree of " + sizeText() + ": " + mebibytes(least) +
                                                " of GPU memory needed, " + mebibytes(available) + " free");
    }
    return withHostMemory("build tree of " + sizeText(), [&] {
        StageClock clock(memory_->stream());
        DeviceTree device = buildDeviceTree(image_, used, memory_, clock, control);
        TreeReport report;
        report.algorithm = used.algorithm;
        report.nodes = device.nodeCount;
        report.leaves = device.leafCount;
        report.depth = device.depth;
        report.rootLevel = device.rootLevel;
        report.stages = clock.take();
        report.milliseconds = totalMilliseconds(report.stages);
        control.report(kBuilt, "numbering");
        control.throwIfStopped();
        built_ = std::make_unique<BuiltTree>(used, std::move(device), image_, sides_, mapping(), memory_, transfers_);
        last_ = {};
        return report;
    });
}

std::shared_ptr<const ComponentTree> CudaSession::tree() const {
    chooseDevice(device_);
    return built_ == nullptr ? nullptr : built_->host({});
}

std::shared_ptr<const AttributeColumn> CudaSession::attribute(AttributeId id, const JobControl& control) {
    requireMeasured(id, isVolume());
    return requireTree("attribute").attribute(id, control);
}

FilterReport CudaSession::runFilter(const FilterSpec& spec, Image& out, const JobControl& control) {
    (void)requireTree("filter");
    if (!hasShape(out, image_)) {
        throw Error(ErrorCode::invalidArgument, "filter: the output image differs from the input in type or size");
    }
    Filtered filtered = decide(spec, control);
    FilterReport report = filtered.report;
    for (const StageTime& stage : fetch(*filtered.frame, out, control)) {
        report.stages.push_back(stage);
    }
    report.milliseconds = totalMilliseconds(report.stages);
    last_ = std::move(filtered);
    return report;
}

FilterReport CudaSession::runPlaneFilter(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                         const JobControl& control) {
    (void)requireTree("filter");
    const PlaneVoxels voxels = voxelsOf(plane, image_.extent());
    if (out.type() != image_.type || out.extent() != Extent{voxels.width, voxels.height}) {
        throw Error(ErrorCode::invalidArgument, "filter a plane: the output image differs from it in type or size");
    }
    Filtered filtered = decideOnce(spec, control);
    DeviceBuffer<std::byte> pixels(memory_, out.bytes(), "a plane of the filtered volume");
    dispatch(out.type(), [&]<class T>(T) {
        check(launchGather(filtered.frame->view<T>(), voxels, reinterpret_cast<T*>(pixels.data()), memory_->stream()),
              "write a plane of the filtered volume");
    });
    transfers_.download(out.data(), pixels.data(), pixels.bytes(), control, "fetch a plane of the filtered volume");
    last_ = std::move(filtered);
    return last_.report;
}

std::optional<FilterReport> CudaSession::runFilterOnDevice(const FilterSpec& spec, const JobControl& control) {
    last_ = isVolume() ? decideOnce(spec, control) : decide(spec, control);
    return last_.report;
}

CudaSession::Filtered CudaSession::decideOnce(const FilterSpec& spec, const JobControl& control) const {
    return last_.frame != nullptr && last_.spec == spec ? last_ : decide(spec, control);
}

CudaSession::Filtered CudaSession::decide(const FilterSpec& spec, const JobControl& control) const {
    BuiltTree& built = requireTree("filter");
    requirePixels(spec);
    return withHostMemory("filter", [&] {
        const BuiltTree::Decision decision = built.decisionOf(spec, control);
        StageClock clock(memory_->stream());
        FilteredNodes filtered =
            filterNodes(*decision.input, {pixels_, image_.type, image_.width, image_.height, image_.slices}, spec,
                        memory_, clock, control);
        FilterReport report;
        report.keptNodes = filtered.keptNodes;
        report.removedNodes = filtered.removedNodes;
        report.changedPixels = filtered.changedPixels;
        report.unknownPicks = filtered.unknownPicks;
        report.stages = clock.take();
        report.milliseconds = totalMilliseconds(report.stages);
        return Filtered{std::move(filtered.frame), spec, std::move(report)};
    });
}

void CudaSession::fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& control) {
    const auto* image = dynamic_cast<const CudaFrame*>(&frame);
    if (image == nullptr || !image->order().isMadeOn(memory_->stream())) {
        return Session::fetchFrame(frame, out, control);
    }
    if (image->type() != out.type() || image->width() != out.width() || image->height() != out.height() ||
        image->slices() != out.extent().slices) {
        throw Error(ErrorCode::invalidArgument, "fetch an image: the output image differs from it in type or size");
    }
    chooseDevice(device_);
    transfers_.addTimes(fetch(*image, out, control));
}

std::vector<StageTime> CudaSession::fetch(const CudaFrame& frame, Image& out, const JobControl& control) {
    StageClock clock(memory_->stream());
    const DeviceBuffer<std::byte> pixels = gathered(frame);
    clock.finish("gather");
    transfers_.download(out.data(), pixels.data(), pixels.bytes(), control, "fetch the filtered image");
    return clock.take();
}

DeviceBuffer<std::byte> CudaSession::gathered(const CudaFrame& frame) const {
    const Extent extent{frame.width(), frame.height(), frame.slices()};
    DeviceBuffer<std::byte> pixels(memory_, extent.pixelCount() * bytesOf(frame.type()), "the filtered image");
    dispatch(frame.type(), [&]<class T>(T) {
        check(launchGather(frame.view<T>(), reinterpret_cast<T*>(pixels.data()), memory_->stream()),
              "write the filtered image");
    });
    return pixels;
}

template <class T> DeviceArray CudaSession::shared(DeviceBuffer<T> values, TexelType type) const {
    check(cudaStreamSynchronize(memory_->stream()), "write an array");
    struct Owner {
        DeviceBuffer<T> values;
        int device;
        ~Owner() { // other libraries may have queued work that reads the values
            if (cudaSetDevice(device) == cudaSuccess) {
                cudaDeviceSynchronize();
            }
        }
    };
    const std::shared_ptr<Owner> owner(new Owner{std::move(values), device_});
    return {{owner, owner->values.data()}, type, image_.extent(), device_};
}

DeviceArray CudaSession::filteredArray(const FilterSpec& spec, const JobControl& control) {
    last_ = decide(spec, control);
    return shared(gathered(*last_.frame), last_.frame->texels());
}

DeviceLabelArray CudaSession::labelledArray(const FilterSpec& spec, const JobControl& control) {
    DeviceLabels found = labelled(spec, control);
    return {shared(std::move(found.labels), TexelType::u32), found.count};
}

std::shared_ptr<const DevicePixels> CudaSession::deviceNodes() const {
    chooseDevice(device_);
    return built_ == nullptr ? nullptr : built_->nodes();
}

AttributePlane CudaSession::plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                  const JobControl& control) {
    auto counted = requireTree("attribute plane").plane(idX, specX, idY, specY, control);
    return counted ? std::move(*counted)
                   : transfers_.onHost([&] { return Session::plane(idX, specX, idY, specY, control); });
}

PatternSpectrum CudaSession::spectrum(AttributeId id, const BinSpec& spec, const JobControl& control) {
    const bool areRanks = mapping() && !mapping()->isProportional(); // kernels subtract levels of 16 bits
    BuiltTree& built = requireTree("pattern spectrum");
    auto counted = areRanks ? std::nullopt : built.spectrum(id, spec, control);
    return counted ? std::move(*counted) : transfers_.onHost([&] { return Session::spectrum(id, spec, control); });
}

PatternSpectrum2d CudaSession::spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                          const JobControl& control) {
    const bool areRanks = mapping() && !mapping()->isProportional();
    BuiltTree& built = requireTree("pattern spectrum");
    auto counted = areRanks ? std::nullopt : built.spectrum2d(idX, specX, idY, specY, control);
    return counted ? std::move(*counted)
                   : transfers_.onHost([&] { return Session::spectrum2d(idX, specX, idY, specY, control); });
}

DeviceLabels CudaSession::labelled(const FilterSpec& spec, const JobControl& control) {
    const BuiltTree::Decision decision = requireTree("label components").decisionOf(spec, control);
    StageClock clock(memory_->stream());
    DeviceLabels labels = labelKept(*decision.input, spec, memory_, clock, control);
    transfers_.addTimes(clock.take());
    return labels;
}

LabelImage CudaSession::label(const FilterSpec& spec, const JobControl& control) {
    return withHostMemory("label components", [&] {
        const DeviceLabels labels = labelled(spec, control);
        LabelImage image{Buffer<std::uint32_t>(labels.labels.size()), image_.width, image_.height, labels.count,
                         image_.slices};
        transfers_.download(image.labels.data(), labels.labels.data(), labels.labels.bytes(), control, "fetch labels");
        return image;
    });
}

std::vector<StageTime> CudaSession::timeParentImage(const TreeSpec& spec, const JobControl& control) {
    if (pixels_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build parent image: no image is open");
    }
    chooseDevice(device_);
    TreeSpec used = spec;
    used.connectivity = connectivityIn(image_.extent(), spec.connectivity);
    StageClock clock(memory_->stream());
    const auto parents = buildParentImage(image_, used, memory_, clock, control);
    return clock.take();
}

std::uint64_t CudaSession::estimateTreeBytes(const Image& image) const {
    const Extent& extent = image.extent();
    if (extent.isVolume()) { // with 18 neighbours most edges have to be expected
        return estimateBuildBytes(image.type(), extent, {TreeKind::max, Connectivity::eighteen, {}});
    }
    std::uint64_t most = 0;
    for (const std::string& algorithm : maxTreeAlgorithms()) {
        try {
            most = std::max(most,
                            estimateBuildBytes(image.type(), extent, {TreeKind::max, Connectivity::eight, algorithm}));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::limitExceeded) { // an algorithm that rejects the image needs no memory
                throw;
            }
        }
    }
    return most;
}

std::uint64_t CudaSession::leastTreeBytes(const Image& image) const {
    return image.extent().isVolume() ? leastBranchTreeBytes(image.extent(), {TreeKind::max, Connectivity::six, {}})
                                     : estimateTreeBytes(image);
}

BuiltTree& CudaSession::requireTree(const char* operation) const {
    if (built_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, std::string(operation) + ": build a tree first");
    }
    chooseDevice(device_);
    return *built_;
}

bool CudaSession::isVolume() const noexcept { return image_.extent().isVolume(); }

std::string CudaSession::sizeText() const { return text(image_.extent()); }

} // namespace pollard::cuda

#pragma once

#include "analysis/attribute_plane.hpp"
#include "analysis/spectrum.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/node_attributes.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"
#include "cuda/nodes/cuda_measures.hpp"
#include "cuda/nodes/node_filter.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "cuda/tree/device_tree.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Copies between host and device for one session, the session's host threads, and the times of work without a report
/// of its own.
class HostTransfers {
public:
    /// @param threads number of host threads; 0 = all cores
    /// @throws Error(deviceFailed)
    HostTransfers(int threads, std::shared_ptr<DeviceMemory> memory);

    /// upload() and download() wait until the copy is done. @throws Error(deviceFailed), Cancelled
    void upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                const std::string& operation);
    void download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                  const std::string& operation);

    /// Runs work on the session's host threads.
    template <class Work> decltype(auto) onHost(const Work& work) { return arena_.execute(work); }

    void addTime(const std::string& stage, double milliseconds);
    void addTimes(const std::vector<StageTime>& stages);
    /// All times since the last call, stages of equal name summed.
    [[nodiscard]] std::vector<StageTime> takeTimes() { return std::exchange(times_, {}); }

private:
    std::optional<tbb::global_control> moreThreads_; ///< allows more oneTBB threads than cores
    tbb::task_arena arena_;
    Staging staging_;
    std::vector<StageTime> times_;
};

/// Runs work; host memory exhaustion becomes Error(outOfMemory).
template <class Work> decltype(auto) withHostMemory(const std::string& operation, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, operation + ": no memory left on the host");
    }
}

/// A tree of a session and its measurements. The tree and the attributes used by filters are in device memory; the host
/// fetches the tree and attributes on demand. Attributes that canMeasure() rejects, or whose columns are in values, are
/// measured on the host.
///
/// All members throw Error(outOfMemory), Error(deviceFailed) and Cancelled.
class BuiltTree {
public:
    /// @param image image of the tree
    /// @param sides of its voxels
    /// @param mapping of its levels, see isColumnInValues(); unset if they are values
    /// @param transfers must outlive this
    BuiltTree(const TreeSpec& spec, DeviceTree device, const DeviceImage& image, const VoxelSides& sides,
              std::optional<ValueMapping> mapping, std::shared_ptr<DeviceMemory> memory, HostTransfers& transfers);

    [[nodiscard]] const DeviceTree& device() const noexcept { return device_; }
    /// Node index of each pixel or voxel.
    [[nodiscard]] const std::shared_ptr<const CudaNodes>& nodes() const noexcept { return nodes_; }
    [[nodiscard]] const std::shared_ptr<const ComponentTree>& host(const JobControl& control);
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control);

    /// Input of a filter's decision on the device.
    struct Decision {
        std::vector<const DeviceColumn*> columns;
        pollard::Buffer<std::uint8_t> forest;
        std::optional<FilterInput> input; ///< refers to columns and forest; stays valid when this is moved
    };
    [[nodiscard]] Decision decisionOf(const FilterSpec& spec, const JobControl& control);

    /// These count on the device; nullopt if there is too little memory for it.
    [[nodiscard]] std::optional<AttributePlane> plane(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                      const BinSpec& specY, const JobControl& control);
    [[nodiscard]] std::optional<PatternSpectrum> spectrum(AttributeId id, const BinSpec& spec,
                                                          const JobControl& control);
    [[nodiscard]] std::optional<PatternSpectrum2d> spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                              const BinSpec& specY, const JobControl& control);

    /// Frees the device memory of everything that can be measured again.
    void forgetMeasured() noexcept;

private:
    /// The attribute in device memory; cached.
    [[nodiscard]] const DeviceColumn& deviceColumn(AttributeId id, const JobControl& control);
    /// Whether an attribute is measured on the device: it is supported, and memory suffices.
    [[nodiscard]] bool measuresOnDevice(AttributeId id) const;
    [[nodiscard]] CudaMeasures& measures();
    [[nodiscard]] DeviceColumn measure(AttributeId id, const JobControl& control);
    [[nodiscard]] AttributeColumn fetch(const DeviceColumn& column, const JobControl& control);
    [[nodiscard]] DeviceColumn upload(const AttributeColumn& column, const JobControl& control);
    [[nodiscard]] const DeviceBuffer<std::uint32_t>& ownPixels(const JobControl& control);
    /// Runs work that queues on the device, waits for it and records its time.
    template <class Work> decltype(auto) timed(const JobControl& control, const Work& work);
    [[nodiscard]] std::uint16_t rootLevel() const noexcept { return device_.rootLevel; }

    TreeSpec spec_;
    DeviceTree device_;
    DeviceImage image_;
    VoxelSides sides_;
    std::optional<ValueMapping> mapping_;
    std::shared_ptr<DeviceMemory> memory_;
    HostTransfers& transfers_;
    std::shared_ptr<const CudaNodes> nodes_;
    std::unique_ptr<CudaMeasures> measures_;              ///< created on demand
    std::shared_ptr<const ComponentTree> host_;           ///< null until fetched
    std::unique_ptr<cpu::NodeAttributes> hostAttributes_; ///< of host_
    std::map<AttributeId, DeviceColumn> deviceColumns_;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> hostColumns_;
};

} // namespace pollard::cuda

#pragma once

#include "attributes/attribute.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/nodes/measure_facts.hpp"
#include "cuda/nodes/node_filter.hpp"
#include "cuda/tree/device_tree.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// The arrays of a device tree, with the properties of its image.
[[nodiscard]] NodePlan planOf(const DeviceTree& tree, const TreeSpec& spec, const DeviceImage& image) noexcept;

/// Measures the components of one device tree (see NodeMeasures). The tree's arrays must outlive it and not move.
class CudaMeasures {
public:
    CudaMeasures(const NodePlan& plan, std::shared_ptr<DeviceMemory> memory, const VoxelGrid& voxels = {});
    ~CudaMeasures();
    CudaMeasures(const CudaMeasures&) = delete;
    CudaMeasures& operator=(const CudaMeasures&) = delete;

    /// Queues the work, and records its time as stageOf(). Cached data stay valid if it throws.
    /// @throws Error(invalidArgument) unless canMeasure(), Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] DeviceColumn measure(AttributeId id, StageClock& clock);
    /// Exclusive prefix sum of the nodes' own pixels, nodes + 1. The first call records its time as stage "area".
    /// @throws Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] const DeviceBuffer<std::uint32_t>& ownPixels(StageClock& clock);

    /// The nodes by rank, for Rule::viterbi. The first call waits.
    /// @throws Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] const RankedNodes<DeviceBuffer<std::uint32_t>>& rankedNodes(StageClock& clock);

private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
    std::shared_ptr<DeviceMemory> memory_;
};

} // namespace pollard::cuda

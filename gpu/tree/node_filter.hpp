#pragma once

#include "attributes/attribute.hpp"
#include "device/device_buffer.hpp"
#include "device/stage_clock.hpp"
#include "filter/filter_spec.hpp"
#include "tree/cuda_frame.hpp"
#include "tree/device_tree.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

namespace pollard::cuda {

/// One attribute of all nodes in device memory.
struct DeviceColumn {
    AttributeId id = AttributeId::area;
    std::variant<DeviceBuffer<std::uint16_t>, DeviceBuffer<std::uint32_t>, DeviceBuffer<std::int32_t>,
                 DeviceBuffer<std::uint64_t>, DeviceBuffer<double>>
        values;
};

/// What a filter made.
struct FilteredNodes {
    std::shared_ptr<const CudaFrame> frame;
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< as in FilterReport
};

/// For Rule::direct, min and max with Output::filtered, residue and mask, without prominence and picks.
/// Decides for every node whether it stays and what its pixels become; writes no picture (launchGather() does).
/// Work is linear in pixels and nodes; with n nodes, O(n log depth) for those that are removed under Rule::direct.
/// @param image the one that the tree was built of
/// @param columns the attribute of each criterion of @p spec, in the same order
/// Files its time as stages "decide", "levels" and "pixels". Waits for the device once, for the counts.
/// @throws Error(invalidArgument) if a column is missing or has another size, Error(outOfMemory), Error(deviceFailed),
///         Cancelled
[[nodiscard]] FilteredNodes filterNodes(const DeviceTree& tree, FrameImage image, const FilterSpec& spec,
                                        std::span<const DeviceColumn* const> columns,
                                        const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                        const JobControl& control);

/// Upper bound of the bytes filterNodes() holds at its peak, its result included.
[[nodiscard]] std::uint64_t estimateFilterBytes(std::uint32_t nodeCount);

} // namespace pollard::cuda

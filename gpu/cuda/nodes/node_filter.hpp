#pragma once

#include "attributes/attribute.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "cuda/tree/device_tree.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "filter/filter_spec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

namespace pollard::cuda {

/// One attribute of all nodes, in device memory.
struct DeviceColumn {
    AttributeId id = AttributeId::area;
    std::variant<DeviceBuffer<std::uint16_t>, DeviceBuffer<std::uint32_t>, DeviceBuffer<std::int32_t>,
                 DeviceBuffer<std::uint64_t>, DeviceBuffer<double>>
        values;
};

/// Input of a filter.
struct FilterInput {
    const DeviceTree& tree;
    NodePlan plan;                                   ///< of tree
    const DeviceBuffer<std::uint32_t>& pixelsBefore; ///< exclusive prefix sum of the nodes' own pixels, nodes + 1
    std::span<const DeviceColumn* const> columns;    ///< attribute of each criterion, in order
    const DeviceColumn* prominence = nullptr;        ///< attribute of FilterSpec::prominent
    const RankedNodes<DeviceBuffer<std::uint32_t>>* ranked = nullptr; ///< for Rule::viterbi
    std::span<const std::uint8_t> forest = {};                        ///< meetForest(), on the host; else empty
};

/// Result of a filter.
struct FilteredNodes {
    std::shared_ptr<const CudaFrame> frame;
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< as in FilterReport
    std::uint32_t unknownPicks = 0;
};

/// Decides which nodes are kept and computes the values of their pixels; writes no image (launchGather() does). See
/// TreeFilterRun. Records its time as stages "decide" and "levels". Waits for the device to read the counts, the number
/// of labels, and to find the most prominent leaves.
/// @param image the image of the tree
/// @throws Error(invalidArgument) if a column or the nodes by rank are missing, or a column has another size;
/// Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] FilteredNodes filterNodes(const FilterInput& input, FrameImage image, const FilterSpec& spec,
                                        const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                        const JobControl& control);

/// Labels of the pixels, numbered as by Session::labels().
struct DeviceLabels {
    DeviceBuffer<std::uint32_t> labels; ///< (height, width)
    std::uint32_t count = 0;
};
/// Labels the maximal kept components. Waits. @throws as filterNodes()
[[nodiscard]] DeviceLabels labelKept(const FilterInput& input, const FilterSpec& spec,
                                     const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                     const JobControl& control);

/// Upper bound of the peak memory of filterNodes(), bytes, with its result, for a filter without labels.
[[nodiscard]] std::uint64_t estimateFilterBytes(std::uint32_t nodeCount, Rule rule);

} // namespace pollard::cuda

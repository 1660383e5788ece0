#pragma once

#include "attributes/attribute.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/cuda_frame.hpp"
#include "cuda/tree/device_tree.hpp"
#include "cuda/tree/node_plan.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "filter/filter_spec.hpp"

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

/// What a filter works on.
struct FilterInput {
    const DeviceTree& tree;
    NodePlan plan;                                   ///< of tree
    const DeviceBuffer<std::uint32_t>& pixelsBefore; ///< running sum of the nodes' own pixels, nodes + 1
    std::span<const DeviceColumn* const> columns;    ///< the attribute of each criterion, in the same order
    const DeviceColumn* prominence = nullptr;        ///< that of FilterSpec::prominent
    const RankedNodes<DeviceBuffer<std::uint32_t>>* ranked = nullptr; ///< for Rule::viterbi
};

/// What a filter made.
struct FilteredNodes {
    std::shared_ptr<const CudaFrame> frame;
    std::uint64_t keptNodes = 0;
    std::uint64_t removedNodes = 0;
    std::uint64_t changedPixels = 0; ///< as in FilterReport
    std::uint32_t unknownPicks = 0;
};

/// Decides for every node whether it stays and what its pixels become; writes no picture (launchGather() does).
/// See TreeFilterRun.
/// @param image the one that the tree was built of
/// Files its time as stages "decide" and "levels". Waits for the device for the counts, for the number of labels, and
/// where the most prominent leaves are looked for.
/// @throws Error(invalidArgument) if a column or what the rule needs is missing, or a column has another size;
///         Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] FilteredNodes filterNodes(const FilterInput& input, FrameImage image, const FilterSpec& spec,
                                        const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                        const JobControl& control);

/// Labels of the pixels, as Session::labels() numbers them.
struct DeviceLabels {
    DeviceBuffer<std::uint32_t> labels; ///< (height, width)
    std::uint32_t count = 0;
};
/// @throws as filterNodes()
[[nodiscard]] DeviceLabels labelKept(const FilterInput& input, const FilterSpec& spec,
                                     const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                     const JobControl& control);

/// Upper bound of the bytes filterNodes() holds at its peak, its result included, for a filter without labels.
[[nodiscard]] std::uint64_t estimateFilterBytes(std::uint32_t nodeCount, Rule rule);

} // namespace pollard::cuda

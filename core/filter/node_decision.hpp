#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// The nodes of a tree that a filter keeps.
struct NodeDecision {
    Buffer<std::uint8_t> keep; ///< per node 1 or 0; keep[0] == 1, since the root always stays
    /// Whether the root is a kept component itself, not only the mandatory root: under direct, min, viterbi and
    /// subtractive if it meets the criteria (or was picked), under max if any node does.
    bool rootCounts = false;
    std::uint32_t unknownPicks = 0; ///< as in FilterReport
};

/// Applies in this order: criteria combined by match; prominence; nodes picked to be kept; the rule; nodes picked to be
/// removed; FilterSpec::only. A few passes in the order of indices, independent of the tree's depth.
/// @throws Error(invalidArgument) if a column is missing or has another size than the tree; Cancelled
[[nodiscard]] NodeDecision decideNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                       const JobControl& control);

} // namespace pollard

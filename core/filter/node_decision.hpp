#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Which nodes of a tree a filter keeps.
struct NodeDecision {
    Buffer<std::uint8_t> keep; ///< per node 1 or 0; keep[0] == 1, since the root always stays
    /// Whether the root counts as a kept component of its own, and not only as what has to be there: under direct,
    /// min, viterbi and subtractive if it meets the criteria (or was picked), under max if any node does.
    bool rootCounts = false;
    std::uint32_t unknownPicks = 0; ///< as in FilterReport
};

/// Decides in this order: criteria joined by match; and prominence; or picked to be kept; the rule; picked to be
/// removed. A few passes over the nodes in the order of their numbers, whatever the depth of the tree.
/// @throws Error(invalidArgument) if a column is missing or has another size than the tree, Cancelled
[[nodiscard]] NodeDecision decideNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                       const JobControl& control);

} // namespace pollard

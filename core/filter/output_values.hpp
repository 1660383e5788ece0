#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Per node the value that its pixels get in the output of @p spec. Pixels outside the mask of an analysisImage() get
/// theirs from restoreOutside().
/// @param decision of the rule of @p spec
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint16_t> outputValues(const ComponentTree& tree, const FilterSpec& spec,
                                                 const NodeDecision& decision, const JobControl& control);

/// Number of pixels that a filter changes, see FilterReport. O(nodes).
/// @param levels filteredLevels()
/// @param area AttributeId::area of the tree
[[nodiscard]] std::uint64_t countChangedPixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                               const AttributeColumn& area);

} // namespace pollard

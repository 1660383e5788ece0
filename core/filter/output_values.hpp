#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Per node the value that its pixels get in the output of @p spec. Pixels outside the mask of an analysisImage() get
/// theirs from restoreOutside().
/// @param decision of the rule of @p spec
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint16_t> outputValues(const ComponentTree& tree, const FilterSpec& spec,
                                                 const NodeDecision& decision, const JobControl& control);

/// A result whose levels have values of their own.
struct OwnLevels {
    Buffer<std::uint16_t> nodes;        ///< level of the pixels of each node
    std::vector<std::uint16_t> outside; ///< level of a pixel outside the mask, by its level in the image
    ValueMapping mapping;
};

/// Residues and results of Rule::subtractive of an image whose levels are ranks, by the values: the levels are the
/// ranks of the result's values, or a range of them if there are more than 65,536. The sample type of residues is the
/// next wider one if that of the image does not hold them. O(nodes log nodes).
/// @param spec with needsProportional()
/// @param mapping with ranks
/// @param hasOutside whether a mask restricts the analysis
/// @throws Cancelled
[[nodiscard]] OwnLevels outputOfRanks(const ComponentTree& tree, const FilterSpec& spec, const NodeDecision& decision,
                                      const ValueMapping& mapping, bool hasOutside, const JobControl& control);

/// Number of pixels that a filter changes, see FilterReport. O(nodes).
/// @param levels filteredLevels()
/// @param area AttributeId::area of the tree
[[nodiscard]] std::uint64_t countChangedPixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                               const AttributeColumn& area);

} // namespace pollard

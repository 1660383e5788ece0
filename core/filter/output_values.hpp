#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "image/image.hpp"
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
struct RankedOutput {
    Buffer<std::uint16_t> nodes;        ///< level of the pixels of each node
    std::vector<std::uint16_t> outside; ///< level of a pixel outside the mask, by its level in the image
    ValueMapping mapping;
};

/// Residues and results of Rule::subtractive of an image whose levels are ranks, by the values: the levels are the
/// ranks of the result's values; if there are more than 65,536 values, a level stands for a range of values. Residues
/// that do not fit the image's sample type have the next wider type. O(nodes log nodes).
/// @param spec with needsProportional()
/// @param mapping with ranks
/// @param hasOutside whether a mask restricts the analysis
/// @throws Cancelled
[[nodiscard]] RankedOutput outputOfRanks(const ComponentTree& tree, const FilterSpec& spec,
                                         const NodeDecision& decision, const ValueMapping& mapping, bool hasOutside,
                                         const JobControl& control);

/// Number of pixels that a filter changes, see FilterReport. O(nodes).
/// @param levels filteredLevels()
/// @param area AttributeId::area of the tree
[[nodiscard]] std::uint64_t countChangedPixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                               const AttributeColumn& area);

/// Per node the label of the maximal kept component that contains it, 0 if there is none.
struct NodeLabels {
    Buffer<std::uint32_t> label;
    std::uint32_t count = 0;
};

/// Numbers the maximal kept components 1 .. count in raster order of first appearance. A kept node is maximal if no
/// ancestor is kept; the root counts (and is then the only one) if NodeDecision::rootCounts. O(pixels + nodes), plus
/// sorting the components.
/// @throws Cancelled
[[nodiscard]] NodeLabels labelNodes(const ComponentTree& tree, const NodeDecision& decision, const JobControl& control);

/// Label of every pixel's node.
/// @throws Cancelled
[[nodiscard]] LabelImage labelPixels(const ComponentTree& tree, const NodeLabels& labels, const JobControl& control);

/// Labels of the maximal components that the filter keeps, as in Session::labels(); ignores the output of @p spec.
/// @throws as decideNodes()
[[nodiscard]] LabelImage labelKept(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                   const JobControl& control);

} // namespace pollard

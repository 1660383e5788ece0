#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "image/label_image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

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

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

/// Per node the label of the maximal kept component that holds it, 0 if none does.
struct NodeLabels {
    Buffer<std::uint32_t> label;
    std::uint32_t count = 0;
};

/// Numbers the maximal kept components 1 .. count in raster order of first appearance. Maximal is a kept node that no
/// other kept one holds; the root is one (then the only one) if it counts, see NodeDecision::rootCounts.
/// O(pixels + nodes), plus sorting the components.
/// @throws Cancelled
[[nodiscard]] NodeLabels labelNodes(const ComponentTree& tree, const NodeDecision& decision, const JobControl& control);

/// The labels of the nodes, pixel by pixel.
/// @throws Cancelled
[[nodiscard]] LabelImage labelPixels(const ComponentTree& tree, const NodeLabels& labels, const JobControl& control);

/// The maximal components that the filter keeps, as Session::labels() numbers them; the output of @p spec is ignored.
/// @throws as decideNodes()
[[nodiscard]] LabelImage labelKept(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                   const JobControl& control);

} // namespace pollard

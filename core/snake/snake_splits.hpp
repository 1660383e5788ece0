#pragma once

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_boxes.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_spec.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

/// Whether node @p before can be joined to node @p after via @p place without touching the contour or enclosing
/// forbidden pixels.
/// @param boxes of these nodes, or null
/// @param forbidden null for none; none of it is inside the contour
[[nodiscard]] bool mayJoin(const Contour& nodes, std::size_t before, std::size_t after, ContourNode place,
                           const ContourBoxes* boxes, const RowCounts* forbidden);

/// A contour with inserted nodes. oldNumbers has the former index of each, -1 for a new one.
struct SplitContour {
    Contour nodes;
    std::vector<std::ptrdiff_t> oldNumbers;
};
/// Inserts a node in the middle of every edge longer than minLength, one edge after another, while there are fewer than
/// maxNodes nodes and mayJoin() allows it.
[[nodiscard]] SplitContour splitLongEdges(const Contour& contour, const SnakeSpec& spec, const RowCounts* forbidden);

} // namespace pollard

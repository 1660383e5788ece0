#pragma once

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_boxes.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_spec.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

/// Whether node @p before can be joined to node @p after over @p place, touching nothing and holding nothing forbidden.
/// @param boxes of these nodes, or null
/// @param forbidden null for none; the contour holds none of it now
[[nodiscard]] bool mayJoin(const Contour& nodes, std::size_t before, std::size_t after, ContourNode place,
                           const ContourBoxes* boxes, const RowCounts* forbidden);

/// A contour with nodes put in. oldNumbers has their numbers before; -1 for a new one.
struct SplitContour {
    Contour nodes;
    std::vector<std::ptrdiff_t> oldNumbers;
};
/// Puts a node into the middle of every edge longer than minLength, one edge after another, as long as there are fewer
/// than maxNodes and the new way touches nothing and holds nothing forbidden.
[[nodiscard]] SplitContour splitLongEdges(const Contour& contour, const SnakeSpec& spec, const RowCounts* forbidden);

} // namespace pollard

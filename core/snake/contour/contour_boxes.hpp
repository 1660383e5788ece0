#pragma once

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_box.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

/// Boxes around every sixteen edges of a contour, so that a search for what touches an edge can leave most of the
/// contour out.
class ContourBoxes {
public:
    static constexpr std::size_t kEdges = 16;

    /// Box i is around the edges from number kEdges i on; edge number j leads from node j to the next. O(nodes).
    void update(const Contour& contour);
    [[nodiscard]] const ContourBox& operator[](std::size_t i) const noexcept { return boxes_[i]; }

private:
    std::vector<ContourBox> boxes_;
};

} // namespace pollard

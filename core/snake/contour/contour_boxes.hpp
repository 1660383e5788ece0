#pragma once

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_box.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

/// Boxes around every sixteen edges of a contour, to skip most of it in searches for contacts.
class ContourBoxes {
public:
    static constexpr std::size_t kEdges = 16;

    /// Computes the boxes: box i contains the edges from index kEdges i on; edge j is from node j to the next.
    /// O(nodes).
    void update(const Contour& contour);
    [[nodiscard]] const ContourBox& operator[](std::size_t i) const noexcept { return boxes_[i]; }

private:
    std::vector<ContourBox> boxes_;
};

} // namespace pollard

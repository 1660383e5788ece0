#include "snake/contour/contour_boxes.hpp"

#include <algorithm>

namespace pollard {

void ContourBoxes::update(const Contour& contour) {
    boxes_.clear();
    for (std::size_t first = 0; first < contour.size(); first += kEdges) {
        ContourBox box = ContourBox::around(contour[first], contour[first]);
        const std::size_t last = std::min(first + kEdges, contour.size()); // end node of the last edge
        for (std::size_t i = first + 1; i < last; ++i) {
            box.add(contour[i]);
        }
        box.add(contour[last < contour.size() ? last : 0]);
        boxes_.push_back(box);
    }
}

} // namespace pollard

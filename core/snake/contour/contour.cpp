#include "snake/contour/contour.hpp"

#include "snake/contour/contour_boxes.hpp"
#include "snake/contour/contour_path.hpp"

#include <algorithm>

namespace pollard {

std::int64_t twiceSignedArea(const Contour& contour) noexcept {
    std::int64_t area = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        area += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    return area;
}

std::int64_t fineLength(const Contour& contour) noexcept {
    std::int64_t length = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        length += fineLength(contour[i], contour[i + 1 < contour.size() ? i + 1 : 0]);
    }
    return length;
}

bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                const ContourBoxes* boxes) noexcept {
    const std::size_t count = contour.size();
    const ContourPath way(contour.data(), count, before, after, place);
    if (way.isNone()) {
        return true;
    }
    for (std::size_t first = 0; first < count; first += ContourBoxes::kEdges) {
        if (boxes != nullptr && way.box().isApartFrom((*boxes)[first / ContourBoxes::kEdges])) {
            continue;
        }
        for (std::size_t i = first; i < std::min(first + ContourBoxes::kEdges, count); ++i) {
            if (way.touchesEdge(i)) {
                return true;
            }
        }
    }
    return false;
}

bool isSimple(const Contour& contour) noexcept {
    const std::size_t count = contour.size();
    if (count < 3) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[(i + 1) % count];
        if (a == b || turnsBack(a, b, contour[(i + 2) % count])) {
            return false;
        }
        for (std::size_t j = i + 2; j < count; ++j) {
            if (i == 0 && j + 1 == count) {
                continue; // adjacent edges
            }
            if (segmentsMeet(a, b, contour[j], contour[(j + 1) % count])) {
                return false;
            }
        }
    }
    return true;
}

} // namespace pollard

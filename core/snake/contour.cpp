#include "snake/contour.hpp"

#include "snake/contour_boxes.hpp"

#include <algorithm>

namespace pollard {

namespace {

/// Whether a way over three places comes back along itself.
bool turnsBack(ContourNode a, ContourNode b, ContourNode c) noexcept {
    if (sideOf(a, b, c) != 0) {
        return false;
    }
    const std::int64_t along = std::int64_t{b.x - a.x} * (c.x - b.x) + std::int64_t{b.y - a.y} * (c.y - b.y);
    return along < 0;
}

} // namespace

std::int64_t twiceSignedArea(const Contour& contour) noexcept {
    std::int64_t area = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        area += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    return area;
}

bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                const ContourBoxes* boxes) noexcept {
    const std::size_t count = contour.size();
    const ContourNode a = contour[before];
    const ContourNode b = contour[after];
    if (place == a || place == b || turnsBack(a, place, b)) {
        return true;
    }
    const auto next = [count](std::size_t i) { return i + 1 < count ? i + 1 : 0; };
    const std::size_t between = next(before); // the node that is replaced; `after` if an edge is
    ContourBox way = ContourBox::around(a, b);
    way.add(place);
    const auto touches = [&](std::size_t i) {
        if (i == before || (between != after && i == between)) {
            return false;
        }
        const ContourNode c = contour[i];
        const ContourNode d = contour[next(i)];
        if (way.isApartFrom(ContourBox::around(c, d))) {
            return false;
        }
        // Neighbours share a node with the way; there only turning back counts.
        const bool followsB = i == after;
        const bool leadsToA = next(i) == before;
        return (followsB ? turnsBack(place, b, d) : segmentsMeet(place, b, c, d)) ||
               (leadsToA ? turnsBack(c, a, place) : segmentsMeet(a, place, c, d));
    };
    for (std::size_t first = 0; first < count; first += ContourBoxes::kEdges) {
        if (boxes != nullptr && way.isApartFrom((*boxes)[first / ContourBoxes::kEdges])) {
            continue;
        }
        for (std::size_t i = first; i < std::min(first + ContourBoxes::kEdges, count); ++i) {
            if (touches(i)) {
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
                continue; // neighbours
            }
            if (segmentsMeet(a, b, contour[j], contour[(j + 1) % count])) {
                return false;
            }
        }
    }
    return true;
}

} // namespace pollard

#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Smallest closed rectangle around some positions.
struct ContourBox {
    std::int32_t left, top, right, bottom;

    [[nodiscard]] POLLARD_HOST_DEVICE static ContourBox around(ContourNode a, ContourNode b) noexcept {
        ContourBox box{a.x, a.y, a.x, a.y};
        box.add(b);
        return box;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isApartFrom(const ContourBox& other) const noexcept {
        return other.right < left || other.left > right || other.bottom < top || other.top > bottom;
    }
    POLLARD_HOST_DEVICE void add(ContourNode place) noexcept {
        left = place.x < left ? place.x : left;
        top = place.y < top ? place.y : top;
        right = place.x > right ? place.x : right;
        bottom = place.y > bottom ? place.y : bottom;
    }
};

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

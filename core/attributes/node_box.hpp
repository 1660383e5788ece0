#pragma once

#include "base/host_device.hpp"

#include <cmath>
#include <cstdint>

namespace pollard {

/// Bounding box in pixel coordinates, both ends included.
struct NodeBox {
    std::uint32_t left, top, right, bottom;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t width() const noexcept { return right - left + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t height() const noexcept { return bottom - top + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t area() const noexcept { return std::uint64_t{width()} * height(); }
    [[nodiscard]] POLLARD_HOST_DEVICE double diagonal() const noexcept {
        const double w = width();
        const double h = height();
        return std::sqrt(w * w + h * h);
    }
};

/// Smallest box that contains both.
[[nodiscard]] POLLARD_HOST_DEVICE inline NodeBox joined(const NodeBox& a, const NodeBox& b) noexcept {
    return {a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top, a.right > b.right ? a.right : b.right,
            a.bottom > b.bottom ? a.bottom : b.bottom};
}

} // namespace pollard

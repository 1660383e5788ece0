#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>

namespace pollard {

/// Number of pixels per row with their centre left of an edge, in exact integer arithmetic. A centre on the edge is not
/// counted, so of two regions that share the edge exactly one contains the pixel.
///
/// Row i of an edge from (x0, y0) down to (x1, y1) has its centres at y0 + i + 1/2, where the edge is at
/// x = x0 + dx (2i + 1) / (2 dy); the count is ceil(x - 1/2) = x0 + floor((dx (2i + 1) + dy - 1) / (2 dy)).
class EdgeRows {
public:
    /// @param upper end with the smaller y; the edge is not horizontal
    /// @param first initial row, 0 for the uppermost
    /// @param stride rows per goDown()
    POLLARD_HOST_DEVICE EdgeRows(ContourNode upper, ContourNode lower, std::int32_t first = 0,
                                 std::int32_t stride = 1) noexcept
        : twiceHeight_(2 * std::int64_t{lower.y - upper.y}) {
        const std::int64_t width = std::int64_t{lower.x} - upper.x;
        const std::int64_t start = width * (2 * std::int64_t{first} + 1) + twiceHeight_ / 2 - 1;
        const std::int64_t whole = floorDivide(start, twiceHeight_);
        rest_ = start - whole * twiceHeight_;
        count_ = upper.x + whole;
        if (std::int64_t{first} + stride < lower.y - upper.y) { // there is a further row
            step_ = floorDivide(2 * width * stride, twiceHeight_);
            stepRest_ = 2 * width * stride - step_ * twiceHeight_;
        }
    }

    /// Count of the current row.
    [[nodiscard]] POLLARD_HOST_DEVICE std::int64_t count() const noexcept { return count_; }
    POLLARD_HOST_DEVICE void goDown() noexcept {
        count_ += step_;
        rest_ += stepRest_;
        if (rest_ >= twiceHeight_) {
            rest_ -= twiceHeight_;
            ++count_;
        }
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static std::int64_t floorDivide(std::int64_t a, std::int64_t b) noexcept {
        return a < 0 ? -((b - 1 - a) / b) : a / b; // non-negative operands: faster on GPUs
    }

    std::int64_t twiceHeight_;
    std::int64_t step_ = 0;
    std::int64_t stepRest_ = 0; ///< fraction of step_, in units of 1 / twiceHeight_
    std::int64_t rest_;
    std::int64_t count_;
};

} // namespace pollard

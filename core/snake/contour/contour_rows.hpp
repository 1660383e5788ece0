#pragma once

#include "base/compiler.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// The pixels inside a contour as runs in rows (see EdgeRows). If it crosses itself, the even-odd rule applies. O(rows
/// of all edges).
class ContourRows {
public:
    explicit ContourRows(const Contour& contour);

    /// Rows [top, bottom) have pixels.
    [[nodiscard]] std::int32_t top() const noexcept { return top_; }
    [[nodiscard]] std::int32_t bottom() const noexcept { return bottom_; }

    /// Calls @p visit(first, last) for every run [first, last) of pixels of row @p y, from left to right.
    template <class Visit> void forEachRun(std::int32_t y, const Visit& visit) const {
        if (y < top_ || y >= bottom_) {
            return;
        }
        const auto row = static_cast<std::size_t>(y - top_);
        for (std::size_t i = firstOfRow_[row]; i + 1 < firstOfRow_[row + 1]; i += 2) {
            if (crossings_[i] < crossings_[i + 1]) {
                visit(crossings_[i], crossings_[i + 1]);
            }
        }
    }

private:
    std::int32_t top_ = 0;
    std::int32_t bottom_ = 0;
    std::vector<std::size_t> firstOfRow_;
    std::vector<std::uint32_t> crossings_; ///< row by row, from left to right
};

/// 8-bit mask: 255 for pixels with their centre inside the contour (see ContourRows), else 0.
/// @param contour within 0..width, 0..height
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height,
                                const JobControl& control = {});

/// Label image of disjoint regions: i + 1 inside contour i, 0 elsewhere; 8 bits if the labels fit, else 16.
/// @throws Error(limitExceeded) for more than 65,535 contours, Error(outOfMemory)
[[nodiscard]] Image contourLabels(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height);

/// Mask file content: contourMask() of a single contour, contourLabels() of several.
/// @param contours at least one
[[nodiscard]] Image maskOfContours(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height,
                                   const JobControl& control = {});

} // namespace pollard

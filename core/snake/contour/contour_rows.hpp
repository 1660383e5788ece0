#pragma once

#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

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

} // namespace pollard

#pragma once

#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/row_counts_view.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Numbers of set pixels over the beginnings of all rows of a mask, for the numbers to the left of edges, as RowSums
/// has them for levels. Kept for every word of the mask: 3/16 byte a pixel with the mask.
class RowCounts {
public:
    /// @throws Error(limitExceeded) for 2^31 pixels or more
    explicit RowCounts(Mask mask);

    [[nodiscard]] const Mask& mask() const noexcept { return mask_; }
    /// Set pixels of each row before each of its words, and those of the whole row.
    [[nodiscard]] std::span<const std::uint32_t> before() const noexcept { return before_; }
    /// Valid until this changes.
    [[nodiscard]] RowCountsView view() const noexcept {
        return {mask_.row(0).data(), before_.data(), entriesOfRow_ - 1};
    }

    /// Set pixels to the left of an edge, positive if it goes down and negative if it goes up. O(rows of the edge).
    /// @param from, to within 0..width, 0..height
    [[nodiscard]] std::int64_t leftOf(ContourNode from, ContourNode to) const noexcept {
        return view().leftOf(from, to);
    }
    /// The sum over all edges: the set pixels in a contour that turns clockwise as seen.
    [[nodiscard]] std::int64_t inside(const Contour& contour) const noexcept;

    /// Sets or clears all pixels in a contour within 0..width, 0..height.
    void fill(const Contour& contour, bool value);

private:
    void countRow(std::uint32_t y) noexcept;

    Mask mask_;
    std::size_t entriesOfRow_;
    std::vector<std::uint32_t> before_;
};

/// The pixels that are not in a mask.
[[nodiscard]] Mask complementOf(const Mask& mask);

} // namespace pollard

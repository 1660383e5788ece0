#pragma once

#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/row_counts_view.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Prefix counts of set pixels along all rows of a mask, to count the pixels left of edges, as RowSums does for levels.
/// One count per word of the mask: 3/16 byte per pixel including the mask.
class RowCounts {
public:
    explicit RowCounts(Mask mask);

    [[nodiscard]] const Mask& mask() const noexcept { return mask_; }
    /// Per row, the set pixels before each word, then those of the whole row.
    [[nodiscard]] std::span<const std::uint32_t> before() const noexcept { return before_; }
    /// Valid until this object changes.
    [[nodiscard]] RowCountsView view() const noexcept {
        return {mask_.row(0).data(), before_.data(), entriesOfRow_ - 1};
    }

    /// Number of set pixels left of an edge, positive if it points down, negative if up. O(rows of the edge).
    /// @param from, to within 0..width, 0..height
    [[nodiscard]] std::int64_t leftOf(ContourNode from, ContourNode to) const noexcept {
        return view().leftOf(from, to);
    }
    /// Sum over all edges: the set pixels inside a contour that is clockwise on the screen.
    [[nodiscard]] std::int64_t inside(const Contour& contour) const noexcept;

    /// Sets or clears all pixels inside a contour within 0..width, 0..height.
    void fill(const Contour& contour, bool value);

private:
    void countRow(std::uint32_t y) noexcept;

    Mask mask_;
    std::size_t entriesOfRow_;
    std::vector<std::uint32_t> before_;
};

/// The pixels outside a mask.
[[nodiscard]] Mask complementOf(const Mask& mask);

} // namespace pollard

#pragma once

#include "base/compiler.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_rows.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// A view of RowCounts in any memory. If words is null, all pixels are unset.
struct RowCountsView {
    static constexpr std::uint32_t kBits = 64; ///< per word

    const std::uint64_t* words = nullptr;  ///< of the mask
    const std::uint32_t* before = nullptr; ///< as RowCounts::before()
    std::size_t wordsOfRow = 0;

    /// Number of set pixels among the first @p count of row @p y.
    [[nodiscard]] POLLARD_HOST_DEVICE std::int64_t inRow(std::size_t y, std::size_t count) const noexcept {
        std::int64_t sum = before[y * (wordsOfRow + 1) + count / kBits];
        if (const std::size_t bits = count % kBits; bits != 0) {
            const std::uint64_t word = words[y * wordsOfRow + count / kBits];
            sum += countOf(word & ((std::uint64_t{1} << bits) - 1));
        }
        return sum;
    }

    /// Number of set pixels left of an edge, positive if it points down, negative if up; only in the rows of the edge
    /// with index @p part modulo @p parts.
    [[nodiscard]] POLLARD_HOST_DEVICE std::int64_t leftOf(ContourNode from, ContourNode to, std::int32_t part = 0,
                                                          std::int32_t parts = 1) const noexcept {
        const bool down = from.y < to.y;
        const ContourNode upper = down ? from : to;
        const ContourNode lower = down ? to : from;
        if (upper.y + part >= lower.y) {
            return 0;
        }
        EdgeRows rows(upper, lower, part, parts);
        std::int64_t sum = 0;
        for (std::int32_t y = upper.y + part; y < lower.y; y += parts, rows.goDown()) {
            sum += inRow(static_cast<std::size_t>(y), static_cast<std::size_t>(rows.count()));
        }
        return down ? sum : -sum;
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static int countOf(std::uint64_t word) noexcept {
#ifdef __CUDA_ARCH__
        return __popcll(word);
#else
        return std::popcount(word);
#endif
    }
};

/// Prefix counts of set pixels along all rows of a mask, to count the pixels left of edges, as RowSums does for levels.
/// One count per word of the mask: 3/16 byte per pixel including the mask.
class RowCounts {
public:
    explicit RowCounts(Mask mask);

    [[nodiscard]] const Mask& mask() const noexcept { return mask_; }
    /// Per row, the number of set pixels before each word, then the number in the whole row.
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

#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/edge_rows.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard {

/// RowCounts in any memory. With null words all pixels are unset.
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

} // namespace pollard

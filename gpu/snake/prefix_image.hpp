#pragma once

#include "device/host_device.hpp"
#include "snake/edge_rows.hpp"
#include "snake/region_sums.hpp"
#include "snake/row_counts_view.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sums over the first pixels of a row.
struct PrefixEntry {
    std::uint64_t levels;
    std::uint64_t squares;
};

/// The cumulated images of a snake in device memory: sums of levels and of their squares over the beginnings of all
/// rows, for every kStep-th pixel; what lies between is added from the pixels themselves. The third cumulated image,
/// that of 1, is the pixel's place, less the pixels without data.
/// @tparam kStepPx 1: sums for every pixel, 16 bytes each; 8: 2 bytes a pixel
template <class Level, std::uint32_t kStepPx> struct PrefixImage {
    using Pixel = Level;
    static constexpr std::uint32_t kStep = kStepPx;

    Pixel* pixels; ///< 0 where there are no data
    PrefixEntry* entries;
    std::uint32_t width, height;
    RowCountsView gaps; ///< pixels without data

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t entriesOfRow(std::uint32_t width) noexcept {
        return width / kStep + 1;
    }

    /// The sums to the left of an edge, as RowSums has them; of its rows, those whose number from above is @p part
    /// modulo @p parts.
    [[nodiscard]] POLLARD_HOST_DEVICE RegionSums leftOf(ContourNode from, ContourNode to, std::uint32_t part,
                                                        std::uint32_t parts) const noexcept {
        const bool down = from.y < to.y;
        const ContourNode upper = down ? from : to;
        const ContourNode lower = down ? to : from;
        const auto first = static_cast<std::int32_t>(part);
        const auto stride = static_cast<std::int32_t>(parts);
        if (lower.y - upper.y <= first) {
            return {};
        }
        std::uint64_t counts = 0;
        std::uint64_t levels = 0;
        std::uint64_t squares = 0;
        EdgeRows rows(upper, lower, first, stride);
        for (std::int32_t y = upper.y + first; y < lower.y; y += stride, rows.goDown()) {
            const auto row = static_cast<std::size_t>(y);
            const auto count = static_cast<std::size_t>(rows.count());
            const PrefixEntry entry = entries[row * entriesOfRow(width) + count / kStep];
            counts += count;
            levels += entry.levels;
            squares += entry.squares;
            for (std::size_t x = count - count % kStep; x < count; ++x) {
                const std::uint64_t level = pixels[row * width + x];
                levels += level;
                squares += level * level;
            }
        }
        RegionSums sums{static_cast<std::int64_t>(counts), static_cast<std::int64_t>(levels),
                        static_cast<std::int64_t>(squares)};
        sums = down ? sums : RegionSums{} - sums;
        if (gaps.words != nullptr) {
            sums.pixels -= gaps.leftOf(from, to, first, stride);
        }
        return sums;
    }
};

} // namespace pollard::cuda

#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/snake/fetched_pixels.hpp"
#include "snake/contour/edge_rows.hpp"
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

/// Cumulated images of a snake in device memory: row-wise prefix sums of levels and squared levels at every kStep-th
/// pixel; pixels in between are added individually. The prefix sum of 1 is the column number minus the pixels without
/// data.
/// @tparam kStepPx 1: sums for every pixel, 16 bytes each; 8: 2 bytes per pixel
template <class Level, std::uint32_t kStepPx> struct PrefixImage {
    using Pixel = Level;
    static constexpr std::uint32_t kStep = kStepPx;
    static_assert(kStep <= FetchedPixels<Level>::kMost);

    Pixel* pixels; ///< 0 where there are no data; placesOf() elements
    PrefixEntry* entries;
    std::uint32_t width, height;
    RowCountsView gaps; ///< pixels without data

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t entriesOfRow(std::uint32_t width) noexcept {
        return width / kStep + 1;
    }
    /// Number of pixels to allocate: those of the image, rounded up for FetchedPixels.
    [[nodiscard]] static std::size_t placesOf(std::size_t pixels) noexcept {
        constexpr std::size_t kMost = FetchedPixels<Level>::kMost;
        return (pixels + kMost - 1) / kMost * kMost;
    }

    /// The sums left of an edge, as in RowSums, over the rows whose index from the top is @p part modulo @p parts.
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
        // Loads of several rows are issued before the first row is added.
        for (std::int64_t y = std::int64_t{upper.y} + first; y < lower.y; y += std::int64_t{kRowsAtOnce} * stride) {
            PrefixEntry fetched[kRowsAtOnce] = {};
            FetchedPixels<Level> rest[kRowsAtOnce];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (std::int32_t i = 0; i < kRowsAtOnce; ++i) {
                const std::int64_t own = y + std::int64_t{i} * stride;
                if (own < lower.y) {
                    const auto row = static_cast<std::size_t>(own);
                    const auto count = static_cast<std::size_t>(rows.count());
                    counts += count;
                    fetched[i] = entries[row * entriesOfRow(width) + count / kStep];
                    const std::size_t others = count % kStep;
                    rest[i].fetch(pixels, row * width + count - others, static_cast<std::uint32_t>(others));
                    rows.goDown();
                }
            }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
            for (std::int32_t i = 0; i < kRowsAtOnce; ++i) {
                levels += fetched[i].levels;
                squares += fetched[i].squares;
                if constexpr (kStep > 1) {
                    rest[i].addTo(levels, squares);
                }
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

private:
    static constexpr std::int32_t kRowsAtOnce = 4; ///< rows loaded together
};

} // namespace pollard::cuda

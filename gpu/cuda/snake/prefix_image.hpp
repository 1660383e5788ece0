#pragma once

#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace pollard::cuda {

/// Up to kMost consecutive pixels, read in one or two aligned loads.
template <class Pixel> class FetchedPixels {
public:
    static constexpr std::uint32_t kMost = 8; ///< the allocated number of pixels is a multiple of this

    /// No pixels.
    FetchedPixels() = default;

    /// @param pixels aligned to kMost pixels
    /// @param count at most kMost
    POLLARD_HOST_DEVICE void fetch(const Pixel* pixels, std::size_t place, std::uint32_t count) noexcept {
        if (count == 0) {
            return;
        }
        first_ = static_cast<std::uint32_t>(place % kMost);
        last_ = first_ + count;
        load(pixels + (place - first_), words_);
        if (last_ > kMost) {
            load(pixels + (place - first_ + kMost), words_ + kWords);
        }
    }
    /// Adds the levels and their squares to the sums.
    POLLARD_HOST_DEVICE void addTo(std::uint64_t& levels, std::uint64_t& squares) const noexcept {
        add(0, levels, squares);
        if (last_ > kMost) {
            add(kMost, levels, squares);
        }
    }

private:
    static constexpr std::uint32_t kBits = std::numeric_limits<Pixel>::digits;
    static constexpr std::uint32_t kWords = kMost * sizeof(Pixel) / sizeof(std::uint64_t);
    static constexpr std::uint32_t kOfWord = kMost / kWords;

    POLLARD_HOST_DEVICE static void load(const Pixel* from, std::uint64_t* words) noexcept {
#ifdef __CUDA_ARCH__
        if constexpr (kWords == 2) {
            const ulonglong2 both = *reinterpret_cast<const ulonglong2*>(from);
            words[0] = both.x;
            words[1] = both.y;
        } else {
            words[0] = *reinterpret_cast<const std::uint64_t*>(from);
        }
#else
        std::memcpy(words, from, kWords * sizeof(std::uint64_t));
#endif
    }
    POLLARD_HOST_DEVICE void add(std::uint32_t start, std::uint64_t& levels, std::uint64_t& squares) const noexcept {
        std::uint32_t sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kMost; ++i) {
            const std::uint64_t word = words_[start / kOfWord + i / kOfWord];
            const bool isOne = start + i >= first_ && start + i < last_;
            const std::uint32_t level = isOne ? static_cast<Pixel>(word >> (i % kOfWord * kBits)) : 0;
            sum += level;
            squares += level * level;
        }
        levels += sum;
    }

    std::uint64_t words_[2 * kWords] = {};
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
};

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
    /// Number of pixels to allocate: the size of the image, rounded up for FetchedPixels.
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

/// Threads of each block of a pass.
struct PassThreads {
    std::uint32_t threads;
};

/// Fills a PrefixImage, one block per row: every thread sums a run of pixels, the block scans these sums, and every
/// thread writes the prefix sums of its run. Pixels without data become 0.
template <class Image> struct SumRows {
    PassThreads state;
    Image image;
    std::uint64_t* totals; ///< levels and squared levels of the whole image, 0 at the start

    [[nodiscard]] static std::size_t bytes(std::uint32_t threads) noexcept { return threads * sizeof(PrefixEntry); }

    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        auto* const sums = reinterpret_cast<PrefixEntry*>(memory);
        const std::uint32_t thread = threadOfBlock();
        const std::uint32_t row = blockOfGrid();
        const std::uint32_t steps = (image.width + Image::kStep - 1) / Image::kStep;
        const std::uint32_t stretch = (steps + state.threads - 1) / state.threads * Image::kStep;
        const std::uint64_t start = std::uint64_t{stretch} * thread;
        const std::uint32_t first = start < image.width ? static_cast<std::uint32_t>(start) : image.width;
        const std::uint32_t last = image.width - first < stretch ? image.width : first + stretch;
        typename Image::Pixel* const pixels = image.pixels + std::size_t{row} * image.width;
        PrefixEntry sum{0, 0};
        for (std::uint32_t x = first; x < last; ++x) {
            if (isGap(row, x)) {
                pixels[x] = 0;
            }
            add(sum, pixels[x]);
        }
        sums[thread] = sum;
        meetThreads();
        for (std::uint32_t distance = 1; distance < state.threads; distance *= 2) {
            const PrefixEntry earlier = thread >= distance ? sums[thread - distance] : PrefixEntry{0, 0};
            meetThreads();
            sums[thread].levels += earlier.levels;
            sums[thread].squares += earlier.squares;
            meetThreads();
        }
        PrefixEntry* const entries = image.entries + row * Image::entriesOfRow(image.width);
        sum = thread == 0 ? PrefixEntry{0, 0} : sums[thread - 1];
        for (std::uint32_t x = first; x < last; ++x) {
            if (x % Image::kStep == 0) {
                entries[x / Image::kStep] = sum;
            }
            add(sum, pixels[x]);
        }
        if (thread == 0) {
            const PrefixEntry all = sums[state.threads - 1];
            if (image.width % Image::kStep == 0) {
                entries[image.width / Image::kStep] = all;
            }
            addWide(totals, all.levels);
            addWide(totals + 1, all.squares);
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE bool isGap(std::size_t row, std::uint32_t x) const {
        constexpr std::uint32_t kBits = RowCountsView::kBits;
        return image.gaps.words != nullptr &&
               (image.gaps.words[row * image.gaps.wordsOfRow + x / kBits] >> (x % kBits) & 1U) != 0;
    }
    POLLARD_DEVICE static void add(PrefixEntry& sum, std::uint64_t level) {
        sum.levels += level;
        sum.squares += level * level;
    }
};

} // namespace pollard::cuda

#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/snake/prefix_image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

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

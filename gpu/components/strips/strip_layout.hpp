#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// How the algorithm "strips" cuts an image: into strips of whole rows, a block of threads each. A strip's union-find
/// lies in shared memory, so the wider the image the fewer rows it has; strips of one row need none.
struct StripLayout {
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t rows;          ///< of a strip, 2^rowBits; the last one may have fewer
    std::uint32_t rowBits;
    std::uint32_t strips;
    std::uint32_t wordsOfRow; ///< that hold pixels
    std::uint32_t runs;       ///< most runs, and components, of a strip: a multiple of 4
    std::uint32_t threads;    ///< of a block

    static constexpr std::uint32_t kMostRowBits = 3;
    /// Of a strip of several rows: 16 bits hold a place, and 32 its sums of x and of grey levels.
    static constexpr std::uint32_t kMostPixels = 0x1'0000;
    /// Words of shared memory for what is summed over a block.
    static constexpr std::uint32_t kScratchWords = 64;

    /// @param sharedBytes what a block may have
    [[nodiscard]] static StripLayout of(std::uint32_t width, std::uint32_t height, std::size_t sharedBytes,
                                        std::uint32_t mostThreads) {
        StripLayout layout{width, height, 1U << kMostRowBits, kMostRowBits, 0, (width - 1) / 32 + 1, 0, 0};
        const auto runsOf = [&](std::uint32_t count) { return (std::uint64_t{width} / 2 + width % 2) * count; };
        while (layout.rows > 1 &&
               (std::uint64_t{width} * layout.rows > kMostPixels ||
                4 * (2 * std::uint64_t{layout.wordsOfRow} * layout.rows + runsOf(layout.rows) + kScratchWords) >
                    sharedBytes)) {
            layout.rows /= 2;
            --layout.rowBits;
        }
        layout.strips = (height - 1) / layout.rows + 1;
        layout.runs = static_cast<std::uint32_t>((runsOf(layout.rows) + 3) / 4 * 4);
        // Four threads a word: runs are more than words.
        const std::uint64_t wanted = (4 * std::uint64_t{layout.wordsOfRow} * layout.rows + 31) / 32 * 32;
        layout.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, mostThreads));
        return layout;
    }

    [[nodiscard]] std::uint32_t wordsOfStrip() const noexcept { return wordsOfRow * rows; }
    /// Of the union-find in a strip.
    [[nodiscard]] std::size_t joiningBytes() const noexcept {
        return 4 * (2 * std::size_t{wordsOfStrip()} + runs + kScratchWords);
    }
    /// Whether strips have several rows. Then 16 bits count the runs of one.
    [[nodiscard]] bool isNarrow() const noexcept { return rows > 1; }
    [[nodiscard]] std::uint64_t words() const noexcept { return std::uint64_t{wordsOfRow} * height; }
    /// Components of all strips, or runs, at most.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return std::uint64_t{runs} * strips; }
};

} // namespace pollard::cuda

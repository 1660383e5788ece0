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
    static constexpr std::uint32_t kLeastRowBitsTogether = 2; ///< labels are painted in rows of four
    /// Of a strip of several rows: 16 bits hold a place, and 32 its sums of x and of grey levels.
    static constexpr std::uint32_t kMostPixels = 0x1'0000;
    /// Words of shared memory for what is summed over a block.
    static constexpr std::uint32_t kScratchWords = 192;

    /// @param sharedBytes what a block may have
    /// @param inCluster strips that may be labelled in one launch as a cluster of blocks, or 0
    [[nodiscard]] static StripLayout of(std::uint32_t width, std::uint32_t height, std::size_t sharedBytes,
                                        std::uint32_t mostThreads, std::uint32_t inCluster = 0) {
        for (std::uint32_t bits = kLeastRowBitsTogether; inCluster != 0 && bits <= kMostRowBits; ++bits) {
            const StripLayout layout = ofRows(width, height, bits, mostThreads);
            if (layout.isTogether(inCluster) && layout.fits(sharedBytes)) {
                return layout;
            }
        }
        std::uint32_t bits = kMostRowBits;
        while (bits > 0 && !ofRows(width, height, bits, mostThreads).fits(sharedBytes)) {
            --bits;
        }
        return ofRows(width, height, bits, mostThreads);
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
    /// Whether all strips are labelled in one launch where so many may be.
    [[nodiscard]] bool isTogether(std::uint32_t most) const noexcept {
        return strips <= std::min(most, threads) && rowBits >= kLeastRowBitsTogether;
    }

private:
    [[nodiscard]] static StripLayout ofRows(std::uint32_t width, std::uint32_t height, std::uint32_t rowBits,
                                            std::uint32_t mostThreads) {
        StripLayout layout{width, height, 1U << rowBits, rowBits, 0, (width - 1) / 32 + 1, 0, 0};
        layout.strips = (height - 1) / layout.rows + 1;
        const std::uint64_t runs = (std::uint64_t{width} / 2 + width % 2) * layout.rows;
        layout.runs = static_cast<std::uint32_t>((runs + 3) / 4 * 4);
        // Four threads a word: runs are more than words.
        const std::uint64_t wanted = (4 * std::uint64_t{layout.wordsOfRow} * layout.rows + 31) / 32 * 32;
        layout.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, mostThreads));
        return layout;
    }
    [[nodiscard]] bool fits(std::size_t sharedBytes) const noexcept {
        return std::uint64_t{width} * rows <= kMostPixels && joiningBytes() <= sharedBytes;
    }
};

} // namespace pollard::cuda

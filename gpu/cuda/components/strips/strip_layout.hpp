#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Largest number of threads per block of the algorithm "strips".
inline constexpr std::uint32_t kMostStripThreads = 1024;

/// Parameters for the device.
struct StripTuning {
    std::size_t sharedBytes;               ///< per block, so that two fit on a multiprocessor
    std::uint32_t joinThreads = 1024;      ///< at most, per block that joins runs
    std::uint32_t numberThreads = 512;     ///< per block that numbers components
    std::uint32_t measureThreads = 512;    ///< per block that measures, a multiple of 32
    std::uint32_t groupBits = 5;           ///< 2^groupBits strips are joined before groups
    std::uint32_t fewStrips = 64;          ///< up to this many are joined at once: launches would cost more than long
                                           ///< chains
    std::uint32_t inCluster = 0;           ///< most strips, up to fewStrips, whose passes share one launch as a cluster
                                           ///< of blocks
    std::uint32_t inGrid = 0;              ///< the same for a cooperative grid
    std::uint32_t measureBlocks = 64;      ///< at least; a strip has several if there are few strips
    std::uint32_t borderSteps = 131'072;   ///< at least, unless a step would have less than a pixel
    std::uint32_t slotBits = 10;           ///< 2^slotBits parts of objects are matched per strip
    std::uint32_t volumeSlotBits = 9;      ///< 2^volumeSlotBits objects are summed per strip of a volume
    std::uint32_t measuredAtOnce = 65'536; ///< most components per round
    std::uint32_t fewPieces = 32;          ///< most pieces of a component measured by one thread; at least 9
    std::uint32_t largePieces = 256;       ///< if the largest component has more, it is not sorted; at least fewPieces
};

/// Division of an image by the algorithm "strips": strips of whole rows, one block each. The union-find of a strip is
/// in shared memory, so wider images have fewer rows per strip; strips of one row need no union-find.
struct StripLayout {
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t rows;          ///< per strip, 2^rowBits; the last one may have fewer
    std::uint32_t rowBits;
    std::uint32_t strips;
    std::uint32_t wordsOfRow; ///< with pixels
    std::uint32_t runs;       ///< largest number of runs, and of components, per strip: a multiple of 4
    std::uint32_t threads;    ///< per block

    static constexpr std::uint32_t kMostRowBits = 3;
    static constexpr std::uint32_t kLeastRowBitsTogether = 2; ///< labels are written in groups of four rows
    /// Limit for strips of several rows: 16 bits hold a position, and 32 bits its sums of x and of grey levels.
    static constexpr std::uint32_t kMostPixels = 0x1'0000;
    /// Words of shared memory for block sums.
    static constexpr std::uint32_t kScratchWords = 192;

    /// @param sharedBytes available per block
    /// @param inCluster largest number of strips labelled in one launch as a cluster of blocks, or 0
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

    /// Strips of 2^rowBits rows.
    [[nodiscard]] static StripLayout ofRows(std::uint32_t width, std::uint32_t height, std::uint32_t rowBits,
                                            std::uint32_t mostThreads) {
        StripLayout layout{width, height, 1U << rowBits, rowBits, 0, (width - 1) / 32 + 1, 0, 0};
        layout.strips = (height - 1) / layout.rows + 1;
        const std::uint64_t runs = (std::uint64_t{width} / 2 + width % 2) * layout.rows;
        layout.runs = static_cast<std::uint32_t>((runs + 3) / 4 * 4);
        // Four threads per word: there are more runs than words.
        const std::uint64_t wanted = (4 * std::uint64_t{layout.wordsOfRow} * layout.rows + 31) / 32 * 32;
        layout.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, mostThreads));
        return layout;
    }

    [[nodiscard]] std::uint32_t wordsOfStrip() const noexcept { return wordsOfRow * rows; }
    /// Shared memory of the union-find in a strip, bytes.
    [[nodiscard]] std::size_t joiningBytes() const noexcept {
        return 4 * (2 * std::size_t{wordsOfStrip()} + runs + kScratchWords);
    }
    /// Whether strips have several rows, so that 16 bits count the runs of one.
    [[nodiscard]] bool isNarrow() const noexcept { return rows > 1; }
    [[nodiscard]] std::uint64_t words() const noexcept { return std::uint64_t{wordsOfRow} * height; }
    /// Upper bound of the components, or runs, of all strips.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return std::uint64_t{runs} * strips; }
    /// Whether all strips are labelled in one launch of at most @p most blocks.
    [[nodiscard]] bool isTogether(std::uint32_t most) const noexcept {
        return strips <= std::min(most, threads) && rowBits >= kLeastRowBitsTogether;
    }

private:
    [[nodiscard]] bool fits(std::size_t sharedBytes) const noexcept {
        return std::uint64_t{width} * rows <= kMostPixels && joiningBytes() <= sharedBytes;
    }
};

} // namespace pollard::cuda

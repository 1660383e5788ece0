#pragma once

#include "cpu/tile_edges.hpp"
#include "cpu/tile_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::cpu {

/// A node of the max-tree of one tile: the pixels of one level in one component of the tile.
struct TileRun {
    std::uint16_t level;
    std::uint16_t branch;    ///< tile-local branch that represents the component at this level
    std::uint16_t canonical; ///< last pixel in raster order, as y * kTileSide + x inside the tile
};

/// A branch of the tile's tree: it starts at a regional maximum and is swallowed by another one at its saddle.
struct TileBranch {
    std::uint32_t saddlePlusOne; ///< level at which it joins `into`, plus one; 0 = never (the tile's root)
    std::uint16_t into;          ///< tile-local branch of higher priority
    std::uint16_t seed;          ///< a pixel of the maximum, as y * kTileSide + x inside the tile
};

/// Max-tree of one tile as a branch decomposition. Runs come in descending order of level.
struct TileTree {
    std::vector<TileRun> runs;
    std::vector<TileBranch> branches;
};

/// Priority of a branch from the pixel that seeded it: a bijective mix of the 32 bits, so that priorities are
/// distinct and behave like random ones. Chains of ever higher priority are then short whatever the image
/// (the expected number of records in a random sequence of n is ln n).
[[nodiscard]] constexpr std::uint32_t branchPriority(std::uint32_t pixel) noexcept {
    std::uint32_t x = pixel;
    x ^= x >> 16;
    x *= 0x7feb'352dU;
    x ^= x >> 15;
    x *= 0x846c'a68bU;
    x ^= x >> 16;
    return x;
}

/// Builds tile trees one after another; holds the working memory. One builder a thread.
///
/// Edges that others make superfluous are left out first (TileEdges), so that nearly every pixel has one edge to pixels
/// before it. Then pixels are visited in descending order of level (counting sort). A pixel without such an edge opens
/// a branch; a pixel between branches joins them, and the one of lower priority ends there. Union-find runs over
/// branches instead of pixels. Cost: O(tile pixels), independent of the depth of the tree.
class TileTreeBuilder {
public:
    /// Builds the tree of one tile of an image of (any height, @p imageWidth) px.
    /// @param image all pixels; read as `image[i] ^ flip`, so that flip = maxLevel gives the min-tree
    /// @param runOfPixel image-sized; receives the tile-local run number of each pixel of the tile
    template <class Pixel, bool kEight> void build(std::span<const Pixel> image, std::uint32_t imageWidth,
                                                   const Tile& tile, Pixel flip, TileTree& out,
                                                   std::span<std::uint32_t> runOfPixel);

private:
    static constexpr std::uint32_t kPixels = kTileSide * kTileSide;
    static constexpr std::uint16_t kPart = 0xffff;           ///< instead of a final number: not a branch of its own
    static constexpr std::uint32_t kOnePassRange = 1U << 11; ///< counters that still pay off for 4096 pixels

    struct Branch {
        std::uint32_t priority;
        std::uint32_t saddlePlusOne; ///< 0 while alive
        std::uint16_t into;
        std::uint16_t top; ///< level of the maximum
        std::uint16_t seed;
    };
    struct Run {
        std::uint16_t level;
        std::uint16_t branch;
        std::uint16_t canonical;
        std::uint16_t same; ///< itself, or the run of the same node that it turned out to belong to
    };

    template <class Pixel>
    void load(std::span<const Pixel> image, std::uint32_t imageWidth, const Tile& tile, Pixel flip);
    static std::uint32_t current(std::uint16_t level, std::uint16_t run) noexcept {
        return std::uint32_t{level} << 16 | run;
    }
    void sortDescending(const Tile& tile);
    template <bool kEight> void flood(const Tile& tile, std::uint32_t imageWidth);
    std::uint16_t find(std::uint16_t branch) noexcept;
    std::uint16_t join(std::uint16_t a, std::uint16_t b, std::uint16_t level) noexcept;
    void emit(const Tile& tile, std::uint32_t imageWidth, TileTree& out, std::span<std::uint32_t> runOfPixel);

    TileEdges edges_; ///< with the levels of the tile
    std::array<std::uint16_t, kPixels> runOf_{};
    std::array<std::uint16_t, kPixels> order_{};
    std::array<std::uint16_t, kPixels> halfSorted_{};
    std::array<std::uint16_t, kPixels> branchOf_{}; ///< per visited pixel: its branch, or a later representative
    std::array<std::uint16_t, kPixels> unionFind_{};
    std::array<std::uint32_t, kPixels> current_{}; ///< per branch: its last run, with its level
    std::array<std::uint16_t, kPixels> renumber_{};
    std::array<std::uint32_t, kOnePassRange> counter_{};
    std::array<Branch, kPixels> branches_{};
    std::array<Run, kPixels> runs_{};
    std::uint32_t branchCount_ = 0;
    std::uint32_t runCount_ = 0;
    std::uint16_t lowest_ = 0;
    std::uint16_t highest_ = 0;
};

} // namespace pollard::cpu

#pragma once

#include "cpu/tile_edges.hpp"
#include "cpu/tile_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::cpu {

/// A node of the max-tree of one tile whose component reaches a seam, or is the whole tile: other tiles have their say
/// in what becomes of it.
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

/// A node whose component touches no seam: it is a node of the image's tree, with all that is below it.
struct TileNode {
    std::uint16_t level;
    std::uint16_t canonical; ///< as y * kTileSide + x inside the tile
    std::uint16_t parent;    ///< number of a node of the tile; of an island's own node: a run of the tile
    std::uint16_t size;      ///< nodes of its component
};

/// A component that touches no seam, inside one that does.
struct TileIsland {
    std::uint16_t node;  ///< its number in the tile; those of its other nodes follow
    std::uint16_t size;  ///< its nodes
    std::uint16_t depth; ///< edges from `node` to the furthest of them
    std::uint16_t run;   ///< what it lies in
};

/// Max-tree of one tile. The part that other tiles have a say in is a branch decomposition, the rest is final: islands
/// with their nodes in the order of the image's tree, hanging on the runs.
struct TileTree {
    std::vector<TileRun> runs;        ///< in descending order of level
    std::vector<TileBranch> branches; ///< those with a run
    std::vector<TileNode> nodes;      ///< island by island
    std::vector<TileIsland> islands;  ///< by canonical pixel
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
    /// @param placeOfPixel image-sized; receives for each pixel of the tile its run in the tile, or, behind the numbers
    ///        of the runs, its node
    template <class Pixel, bool kEight> void build(std::span<const Pixel> image, std::uint32_t imageWidth,
                                                   const Tile& tile, Pixel flip, TileTree& out,
                                                   std::span<std::uint32_t> placeOfPixel);

private:
    static constexpr std::uint32_t kPixels = kTileSide * kTileSide;
    static constexpr std::uint16_t kNone = kPixels;    ///< no run; the arrays have a place for it that nobody reads
    static constexpr std::uint16_t kNoBranch = 0xffff; ///< instead of a final number: without a run that stays
    static constexpr std::uint32_t kOnePassRange = 1U << 11; ///< counters that still pay off for 4096 pixels

    struct Branch {
        std::uint32_t priority;
        std::uint32_t saddlePlusOne; ///< 0 while alive
        std::uint16_t into;
        std::uint16_t saddle; ///< a pixel of the saddle
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
    void flood(const Tile& tile, std::uint32_t imageWidth);
    std::uint16_t find(std::uint16_t branch) noexcept;
    std::uint16_t join(std::uint16_t a, std::uint16_t b, std::uint32_t pixel) noexcept;
    void linkRuns() noexcept;
    void findOpenRuns(const Tile& tile, std::uint32_t imageWidth, std::size_t imagePixels) noexcept;
    void numberIslands(TileTree& out);
    void emitNodes(TileTree& out);
    void emitBranches(TileTree& out);

    TileEdges edges_; ///< with the levels of the tile
    std::array<std::uint16_t, kPixels> runOf_{};
    std::array<std::uint16_t, kPixels> order_{};
    std::array<std::uint16_t, kPixels> halfSorted_{};
    std::array<std::uint16_t, kPixels> branchOf_{}; ///< per visited pixel: its branch, or a later representative
    std::array<std::uint16_t, kPixels> unionFind_{};
    std::array<std::uint32_t, kPixels> current_{}; ///< per branch: its last run, with its level
    std::array<std::uint32_t, std::size_t{2} * kOnePassRange> counter_{};
    std::array<Branch, kPixels> branches_{};
    std::array<Run, kPixels> runs_{};

    // Per run.
    std::array<std::uint16_t, kPixels> final_{};          ///< the run of the same node that stands for all of them
    std::array<std::uint16_t, kPixels + 1> parent_{};     ///< a later run
    std::array<std::uint8_t, kPixels + 1> isOpen_{};      ///< its component reaches a seam
    std::array<std::uint16_t, kPixels + 1> size_{};       ///< nodes of its component
    std::array<std::uint16_t, kPixels + 1> depth_{};      ///< edges to the furthest of them
    std::array<std::uint16_t, kPixels + 1> used_{};       ///< nodes of the children placed so far
    std::array<std::uint16_t, kPixels + 1> number_{};     ///< its final number, of the runs or of the nodes
    std::array<std::uint16_t, kPixels + 1> openRuns_{};   ///< runs that stand for a node and reach a seam
    std::array<std::uint16_t, kPixels + 1> closedRuns_{}; ///< the others that stand for one
    std::array<std::uint16_t, kPixels> branchNumber_{};   ///< per branch; in linkRuns() its last run
    std::uint32_t branchCount_ = 0;
    std::uint32_t runCount_ = 0;
    std::uint16_t lowest_ = 0;
    std::uint16_t highest_ = 0;
};

} // namespace pollard::cpu

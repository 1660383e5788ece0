#pragma once

#include "cpu/tile_edges.hpp"
#include "cpu/tile_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::cpu {

/// A node of one tile's max-tree whose component reaches a seam or is the whole tile, so that it may merge with nodes
/// of other tiles.
struct TileRun {
    std::uint16_t level;
    std::uint16_t branch;    ///< tile-local branch that represents the component at this level
    std::uint16_t canonical; ///< last pixel in raster order, as index in the tile
};

/// A branch of the tile's tree: it starts at a regional maximum and joins another one at its saddle.
struct TileBranch {
    std::uint32_t saddlePlusOne; ///< level at which it joins `into`, plus one; 0 = never (the tile's root)
    std::uint16_t into;          ///< tile-local branch of higher priority
    std::uint16_t seed;          ///< a pixel of the maximum, as index in the tile
};

/// A node whose component touches no seam; it and its descendants are nodes of the image's tree.
struct TileNode {
    std::uint16_t level;
    std::uint16_t canonical; ///< as index in the tile
    std::uint16_t parent;    ///< index of a node of the tile; for the first node of an island, of a run
    std::uint16_t size;      ///< nodes of its component
};

/// A component that touches no seam, inside one that does.
struct TileIsland {
    std::uint16_t node;  ///< index in the tile; its other nodes follow
    std::uint16_t size;  ///< number of nodes
    std::uint16_t depth; ///< edges from `node` to its farthest descendant
    std::uint16_t run;   ///< the run that contains it
};

/// A node whose component touches no seam, if only parents are needed.
struct TileLink {
    std::uint16_t canonical; ///< as index in the tile
    std::uint16_t parent;    ///< index of a run of the tile or, offset by the number of runs, of a link
};

/// Max-tree of one tile. The part that may merge with other tiles is a branch decomposition. The rest is final:
/// islands, attached to runs, with their nodes in the order of the image's tree; or links in any order, if only parents
/// are needed.
struct TileTree {
    std::vector<TileRun> runs;        ///< in descending order of level
    std::vector<TileBranch> branches; ///< with at least one run
    std::vector<TileNode> nodes;      ///< island by island
    std::vector<TileIsland> islands;  ///< by canonical pixel
    std::vector<TileLink> links;
};

/// Priority of a branch from its seed pixel: a bijective mix of the 32 bits, so that priorities are distinct and
/// pseudo-random. Chains of increasing priority are then short for any image (the expected number of records in a
/// random sequence of n is ln n).
[[nodiscard]] constexpr std::uint32_t branchPriority(std::uint32_t pixel) noexcept {
    std::uint32_t x = pixel;
    x ^= x >> 16;
    x *= 0x7feb'352dU;
    x ^= x >> 15;
    x *= 0x846c'a68bU;
    x ^= x >> 16;
    return x;
}

/// Builds tile trees one after another and holds the working memory. One builder per thread.
///
/// @tparam Edges TileEdges or BrickEdges: the shape of the tiles and the edges of their pixels
///
/// Redundant edges are dropped first, so that nearly every pixel has one edge to preceding pixels. A pixel without such
/// an edge starts a branch. Pixels are then visited in descending order of level (counting sort); a pixel between
/// branches joins them, and the branch of lower priority ends. Union-find works on branches instead of pixels. O(tile
/// pixels), independent of the tree's depth.
template <class Edges> class TileTreeBuilder {
public:
    /// Builds the tree of one tile of an image.
    /// @param image all pixels; read as `image[i] ^ flip`, so that flip = maxLevel gives the min-tree
    /// @param grid of tiles with the shape of Edges
    /// @param placeOfPixel image-sized; receives for each pixel of the tile its run in the tile or, offset by the
    /// number of runs, its node
    template <class Pixel> void build(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip,
                                      TileTree& out, std::span<std::uint32_t> placeOfPixel);

    /// As build(), with links instead of nodes and islands.
    template <class Pixel> void buildLinks(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile,
                                           Pixel flip, TileTree& out, std::span<std::uint32_t> placeOfPixel);

private:
    static constexpr TileShape kShape = Edges::kShape;
    static constexpr std::uint32_t kPixels = kTilePixels;
    using Visit = typename Edges::Visit;
    static constexpr std::uint32_t kPixelBits = 12;
    static_assert(kPixels == 1U << kPixelBits);
    /// Stands for no run or branch; the arrays have a dummy element for it.
    static constexpr std::uint16_t kNone = kPixels;
    static constexpr std::uint16_t kNoBranch = 0xffff;       ///< a branch without an open run
    static constexpr std::uint32_t kOnePassRange = 1U << 11; ///< most counters that pay off for 4096 pixels

    struct Branch {
        std::uint32_t priority;
        std::uint32_t saddlePlusOne; ///< 0 while active
        std::uint16_t into;
        std::uint16_t saddle; ///< a pixel of the saddle
        std::uint16_t seed;
    };

    template <class Pixel> void grow(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip);
    template <class Pixel> void load(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip);
    [[nodiscard]] std::uint16_t runLevel(std::uint16_t run) const noexcept { return edges_.level(runCanonical_[run]); }
    static std::uint32_t current(std::uint32_t level, std::uint16_t run) noexcept { return level << 16 | run; }
    /// A pixel and its edges in one word, so that flood() needs no other access.
    [[nodiscard]] Visit visitOf(std::uint32_t pixel) const noexcept {
        const std::uint32_t kept = edges_.kept(pixel);
        return pixel | (pixel + Edges::step(kept)) << kPixelBits | Visit{kept & (kept - 1)} << (2 * kPixelBits);
    }
    void sortDescending(const Tile& tile);
    void openBranches(const Tile& tile, const TileGrid& grid);
    void flood(const Tile& tile);
    std::uint16_t find(std::uint16_t branch) noexcept;
    std::uint16_t join(std::uint16_t a, std::uint16_t b, std::uint32_t pixel) noexcept;
    void linkRuns() noexcept;
    void findOpenRuns(const Tile& tile, const Extent& image) noexcept;
    void separateRuns() noexcept;
    void measureClosedRuns() noexcept;
    void numberIslands(TileTree& out);
    void emitRuns(TileTree& out);
    void emitBranches(TileTree& out);
    void emitNodes(TileTree& out);
    void emitLinks(TileTree& out);
    void writePlaces(const TileGrid& grid, const Tile& tile, std::span<std::uint32_t> placeOfPixel) noexcept;

    Edges edges_; ///< with the levels of the tile
    std::array<std::uint16_t, kPixels> runOf_{};
    std::array<Visit, kPixels> order_{}; ///< visitOf() per pixel, in order
    std::array<std::uint16_t, kPixels> halfSorted_{};
    std::array<std::uint16_t, kPixels> branchOf_{}; ///< per visited pixel: its branch, or a later representative
    std::array<std::uint16_t, kPixels + 1> unionFind_{};
    std::array<std::uint32_t, kPixels + 1> current_{}; ///< per branch: its last run and the run's level
    std::array<std::uint32_t, std::size_t{2} * kOnePassRange> counter_{};
    std::array<Branch, kPixels + 1> branches_{};

    // Per run:
    std::array<std::uint16_t, kPixels + 1> runBranch_{};
    std::array<std::uint16_t, kPixels> runCanonical_{};
    std::array<std::uint16_t, kPixels + 1> same_{};       ///< itself, or a run of the same node that it belongs to
    std::array<std::uint16_t, kPixels> final_{};          ///< the representative run of the node
    std::array<std::uint16_t, kPixels + 1> parent_{};     ///< a later run
    std::array<std::uint8_t, kPixels + 1> isOpen_{};      ///< whether its component reaches a seam
    std::array<std::uint16_t, kPixels + 1> size_{};       ///< nodes of its component
    std::array<std::uint16_t, kPixels + 1> depth_{};      ///< edges to the farthest node of its component
    std::array<std::uint16_t, kPixels + 1> used_{};       ///< nodes of the children placed so far
    std::array<std::uint16_t, kPixels + 1> number_{};     ///< its final index among runs or nodes
    std::array<std::uint16_t, kPixels + 1> openRuns_{};   ///< representative runs that reach a seam
    std::array<std::uint16_t, kPixels + 1> closedRuns_{}; ///< other representative runs
    std::array<std::uint16_t, kPixels> branchNumber_{};   ///< per branch: final index; in linkRuns() its last run
    std::uint32_t branchCount_ = 0;
    std::uint32_t runCount_ = 0;
    std::uint32_t openCount_ = 0;   ///< size of openRuns_
    std::uint32_t closedCount_ = 0; ///< size of closedRuns_
    std::uint16_t lowest_ = 0;
    std::uint16_t highest_ = 0;
};

} // namespace pollard::cpu

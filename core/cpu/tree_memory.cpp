#include "cpu/tree_memory.hpp"

#include "base/parallel.hpp"
#include "base/system.hpp"
#include "cpu/tile_grid.hpp"
#include "cpu/tile_tree.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace pollard::cpu {

namespace {

constexpr std::uint64_t kPixelBytes = 4;                      ///< its run or node
constexpr std::uint64_t kTileBytes = 512;                     ///< lists of a tile
constexpr std::uint64_t kRounding = std::uint64_t{32} << 20U; ///< of large blocks to pages of 2 MiB, and threads

/// Upper bounds of the nodes and branches of a tile's tree.
struct TileCount {
    std::uint64_t nodes = 0;
    std::uint64_t branches = 0;
};

/// Counts one tile. The first pixel of a flat zone in raster order differs from the pixels before it along each axis.
/// The first pixel of a regional maximum is higher than the pixels before it and not lower than the pixels behind it.
/// So no zone or maximum is missed, whatever the connectivity. A node of the tile has a flat zone of its own, and a
/// branch or an island a regional maximum.
template <class Pixel>
TileCount countTile(const Pixel* image, const TileGrid& grid, const Tile& tile, Pixel flip) noexcept {
    const std::array<std::size_t, 3> step{1, grid.extent.width, grid.extent.slicePixels()};
    const std::array<std::uint32_t, 3> side{tile.width, tile.height, tile.slices};
    TileCount count;
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            const std::size_t row = (tile.z0 + z) * step[2] + (tile.y0 + y) * step[1] + tile.x0;
            for (std::uint32_t x = 0; x < tile.width; ++x) {
                const std::array<std::uint32_t, 3> at{x, y, z};
                const Pixel* const here = image + row + x;
                const auto level = static_cast<Pixel>(*here ^ flip);
                bool isNew = true;
                bool isHighest = true;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    if (at[axis] > 0) {
                        const auto before = static_cast<Pixel>(*(here - step[axis]) ^ flip);
                        isNew = isNew && before != level;
                        isHighest = isHighest && before < level;
                    }
                    if (at[axis] + 1 < side[axis]) {
                        isHighest = isHighest && static_cast<Pixel>(here[step[axis]] ^ flip) <= level;
                    }
                }
                count.nodes += isNew ? 1 : 0;
                count.branches += isHighest ? 1 : 0;
            }
        }
    }
    return count;
}

} // namespace

std::uint64_t estimateTreeBytes(const Image& image) noexcept {
    // With n pixels there are at most n runs, n nodes and n / 2 branches; all at once only in an image without islands,
    // whose nodes take less. The peak is in numberNodes(): 4 n for pixel -> run, 4 n for run -> node, 32 bytes per
    // node, 32 bytes per branch. Photographs need less than half.
    return 56 * std::uint64_t{image.pixelCount()} + (1U << 20);
}

std::uint64_t countTileBytes(const Image& image, TreeKind kind, const JobControl& control) {
    // A node takes at most sizeof(TileNode); a branch its entry in a list with room for twice as many, and 12 bytes in
    // the forest; an island less.
    constexpr std::uint64_t kNodeBytes = sizeof(TileNode);
    constexpr std::uint64_t kBranchBytes = 2 * sizeof(TileBranch) + 12;
    const TileGrid grid = TileGrid::of(image.extent());
    std::atomic<std::uint64_t> nodes = 0;
    std::atomic<std::uint64_t> branches = 0;
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const auto flip = static_cast<Pixel>(kind == TreeKind::min ? maxLevelOf(image.type()) : 0);
        forEachIndex(
            grid.count(), control,
            [&](std::size_t t) {
                const TileCount found = countTile(image.pixels<Pixel>().data(), grid, grid.tile(t), flip);
                nodes += found.nodes;
                branches += found.branches;
            },
            4);
    });
    return kPixelBytes * image.pixelCount() + kNodeBytes * nodes + kBranchBytes * branches + kTileBytes * grid.count() +
           kRounding;
}

std::uint64_t bytesToCollect(const BranchRuns& runs) noexcept {
    // Per run its branch, a key or two entries of a table, and the level and canonical pixel of a node; per branch its
    // sections of keys and nodes, and its table.
    return std::uint64_t{18} * runs.runBase.back() + 12 * runs.forest.size() + kRounding;
}

std::uint64_t bytesToNumber(const BranchNodes& nodes, const BranchRuns& runs) noexcept {
    // At the peak the whole tree has 14 bytes per node; a node of the branches has 12 for its children and its number,
    // a branch 20 beyond its entry in the forest, which is freed, and an island 12.
    return std::uint64_t{26} * nodes.nodeCount() + 14 * runs.nodeCount + 20 * runs.forest.size() +
           12 * runs.islands.size() + kRounding;
}

void requireTileMemory(const Image& image, TreeKind kind, const JobControl& control) {
    const std::uint64_t most = estimateTreeBytes(image);
    if (most > kSmallJobBytes && most > availableMemory()) {
        requireAvailable("tree of " + text(image.extent()), countTileBytes(image, kind, control));
    }
}

void requireStageMemory(const Extent& extent, std::uint64_t bytes) {
    if (bytes > kSmallJobBytes) {
        requireAvailable("tree of " + text(extent), bytes);
    }
}

Error noMemoryFor(const Image& image) {
    return {ErrorCode::outOfMemory, "tree of " + text(image.extent()) + ": about " +
                                        std::to_string(estimateTreeBytes(image) >> 20) +
                                        " MiB of memory needed, not available"};
}

} // namespace pollard::cpu

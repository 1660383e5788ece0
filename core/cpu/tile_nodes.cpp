#include "cpu/tile_nodes.hpp"

#include "base/parallel.hpp"
#include "cpu/tile_grid.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace pollard::cpu {

namespace {

/// Node index per run or node of a tile.
using PlaceNumbers = std::array<std::uint32_t, std::size_t{kTileSide} * kTileSide>;

/// Writes the nodes of an island, starting with @p first as node @p base.
/// @param nodes of the tile
/// @param numberOf receives their indices
/// @return number of leaves
std::uint32_t writeIsland(const TileNode* nodes, const TileIsland& island, const Tile& tile, std::uint32_t parent,
                          std::uint32_t base, std::uint16_t flip, std::uint32_t* numberOf, ComponentTree& tree) {
    std::uint32_t leaves = 0;
    for (std::uint32_t k = 0; k < island.size; ++k) {
        const TileNode& node = nodes[island.node + k];
        const std::uint32_t number = base + k;
        numberOf[island.node + k] = number;
        tree.parent[number] = k == 0 ? parent : base + (std::uint32_t{node.parent} - island.node);
        tree.level[number] = node.level ^ flip;
        tree.subtreeEnd[number] = number + node.size;
        tree.canonical[number] = pixelOf(node.canonical, tile, tree.width);
        leaves += node.size == 1 ? 1 : 0;
    }
    return leaves;
}

void writePixels(const Tile& tile, std::uint32_t imageWidth, const PlaceNumbers& numberOf, std::uint32_t* pixels) {
    for (std::uint32_t y = tile.y0; y < tile.y0 + tile.height; ++y) {
        std::uint32_t* row = pixels + std::size_t{y} * imageWidth + tile.x0;
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            row[x] = numberOf[row[x]];
        }
    }
}

} // namespace

void writeTiles(BranchRuns& runs, const Buffer<std::uint32_t>& nodeOfRun, const NodeNumbers& numbers,
                std::uint16_t flip, ComponentTree& tree, const JobControl& control) {
    std::atomic<std::uint32_t> leaves{0};
    forEachRange(
        runs.grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            PlaceNumbers numberOf;
            std::uint32_t found = 0;
            for (std::size_t t = begin; t != end; ++t) {
                const Tile tile = runs.grid.tile(t);
                const std::uint32_t runCount = runs.runBase[t + 1] - runs.runBase[t];
                for (std::uint32_t r = 0; r < runCount; ++r) {
                    numberOf[r] = numbers.ofNode[nodeOfRun[runs.runBase[t] + r]];
                }
                for (std::uint32_t k = runs.islandBase[t]; k != runs.islandBase[t + 1]; ++k) {
                    const TileIsland& island = runs.islands[k];
                    const std::uint32_t parent = numberOf[island.run];
                    found += writeIsland(runs.nodes[t].data(), island, tile, parent, parent + numbers.islandOffset[k],
                                         flip, numberOf.data() + runCount, tree);
                }
                runs.nodes[t] = {};
                writePixels(tile, tree.width, numberOf, runs.placeOfPixel.data());
            }
            leaves += found;
        },
        8);
    tree.leafCount += leaves;
    tree.pixelNode = std::move(runs.placeOfPixel);
}

} // namespace pollard::cpu

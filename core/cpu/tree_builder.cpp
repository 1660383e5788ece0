#include "cpu/tree_builder.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/node_numbering.hpp"
#include "cpu/tile_grid.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace pollard::cpu {

namespace {

/// Node index per run or node of a tile.
using PlaceNumbers = std::array<std::uint32_t, kTilePixels>;

/// Writes the nodes of an island, starting with @p first as node @p base.
/// @param nodes of the tile
/// @param numberOf receives their indices
/// @return number of leaves
std::uint32_t writeIsland(const TileNode* nodes, const TileIsland& island, const TileGrid& grid, const Tile& tile,
                          std::uint32_t parent, std::uint32_t base, std::uint16_t flip, std::uint32_t* numberOf,
                          ComponentTree& tree) {
    std::uint32_t leaves = 0;
    for (std::uint32_t k = 0; k < island.size; ++k) {
        const TileNode& node = nodes[island.node + k];
        const std::uint32_t number = base + k;
        numberOf[island.node + k] = number;
        tree.parent[number] = k == 0 ? parent : base + (std::uint32_t{node.parent} - island.node);
        tree.level[number] = node.level ^ flip;
        tree.subtreeEnd[number] = number + node.size;
        tree.canonical[number] = grid.pixelOf(node.canonical, tile);
        leaves += node.size == 1 ? 1 : 0;
    }
    return leaves;
}

void writePixels(const TileGrid& grid, const Tile& tile, const PlaceNumbers& numberOf, std::uint32_t* pixels) {
    grid.eachRow(tile, [&, width = tile.width](std::uint32_t, std::size_t pixel) {
        std::uint32_t* row = pixels + pixel;
        for (std::uint32_t x = 0; x < width; ++x) {
            row[x] = numberOf[row[x]];
        }
    });
}

/// Stage 5, tile by tile: fills in the nodes of the islands, and converts the pixels' places in their tiles to nodes of
/// the image, which become tree.pixelNode.
/// @param nodeOfRun per run: node of the branches
/// @param flip as for numberNodes()
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
                    found += writeIsland(runs.nodes[t].data(), island, runs.grid, tile, parent,
                                         parent + numbers.islandOffset[k], flip, numberOf.data() + runCount, tree);
                }
                runs.nodes[t] = {};
                writePixels(runs.grid, tile, numberOf, runs.placeOfPixel.data());
            }
            leaves += found;
        },
        8);
    tree.leafCount += leaves;
    tree.pixelNode = std::move(runs.placeOfPixel);
}

ComponentTree build(const Image& image, const TreeSpec& spec, const JobControl& control, StageTimer& timer) {
    BranchRuns runs = buildTileTrees(image, spec, TileParts::islands, control);
    timer.finish("tiles");
    control.report(0.45, "seams");
    joinSeams(runs, image, spec, control);
    timer.finish("seams");
    control.report(0.5, "nodes");
    BranchNodes nodes = collectNodes(runs, std::size_t{maxLevelOf(image.type())} + 1, control);
    timer.finish("nodes");
    control.report(0.75, "numbering");

    ComponentTree tree;
    tree.kind = spec.kind;
    tree.connectivity = spec.connectivity;
    tree.pixelType = image.type();
    tree.width = image.width();
    tree.height = image.height();
    tree.slices = image.extent().slices;
    tree.sides = image.sides();
    const std::uint16_t flip = spec.kind == TreeKind::min ? maxLevelOf(image.type()) : std::uint16_t{0};
    const NodeNumbers numbers = numberNodes(nodes, runs, flip, tree, control);
    timer.finish("numbering");
    control.report(0.92, "pixels");
    writeTiles(runs, nodes.ofRun, numbers, flip, tree, control);
    timer.finish("pixels");
    control.report(1.0, "pixels");
    return tree;
}

} // namespace

ComponentTree buildComponentTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                 StageTimer& timer) {
    try {
        return build(image, spec, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

Error noMemoryFor(const Image& image) {
    return {ErrorCode::outOfMemory, "tree of " + text(image.extent()) + ": about " +
                                        std::to_string(estimateTreeBytes(image) >> 20) +
                                        " MiB of memory needed, not available"};
}

std::uint64_t estimateTreeBytes(const Image& image) noexcept {
    // With n pixels there are at most n runs, n nodes and n / 2 branches; all at once only in an image without islands,
    // whose nodes take less. The peak is in numberNodes(): 4 n for pixel -> run, 4 n for run -> node, 32 bytes per
    // node, 32 bytes per branch. Photographs need less than half of it.
    return 56 * std::uint64_t{image.pixelCount()} + (1U << 20);
}

} // namespace pollard::cpu

#include "cpu/parent_image.hpp"

#include "base/parallel.hpp"
#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/branch_tree.hpp"
#include "cpu/tree_builder.hpp"

#include <array>
#include <new>
#include <utility>

namespace pollard::cpu {

namespace {

/// Links every pixel to the canonical pixel of its node, and the canonical pixels of the tiles' own nodes to that of
/// their parent.
void flattenTiles(BranchRuns& runs, const BranchNodes& nodes, const JobControl& control) {
    Buffer<std::uint32_t>& image = runs.placeOfPixel;
    forEachRange(
        runs.grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            std::array<std::uint32_t, kTilePixels> canonical; // per run or node of the tile
            for (std::size_t t = begin; t != end; ++t) {
                const Tile tile = runs.grid.tile(t);
                std::uint32_t* place = canonical.data();
                for (std::uint32_t r = runs.runBase[t]; r != runs.runBase[t + 1]; ++r) {
                    *place++ = nodes.canonical[nodes.ofRun[r]];
                }
                for (const TileLink link : runs.links[t]) {
                    *place++ = runs.grid.pixelOf(link.canonical, tile);
                }
                runs.grid.eachRow(tile, [&, width = tile.width](std::uint32_t, std::size_t pixel) {
                    std::uint32_t* row = image.data() + pixel;
                    for (std::uint32_t x = 0; x < width; ++x) {
                        row[x] = canonical[row[x]];
                    }
                });
                for (const TileLink link : runs.links[t]) {
                    image[runs.grid.pixelOf(link.canonical, tile)] = canonical[link.parent];
                }
                runs.links[t] = {};
            }
        },
        8);
}

/// Links the canonical pixels of the branches' nodes to that of their parent.
void flattenBranches(BranchRuns& runs, const BranchNodes& nodes, const JobControl& control) {
    Buffer<std::uint32_t>& image = runs.placeOfPixel;
    forEachIndex(
        nodes.branchCount(), control,
        [&](std::size_t b) {
            const auto branch = static_cast<std::uint32_t>(b);
            if (nodes.count(branch) == 0) {
                return;
            }
            const std::uint32_t lowest = nodes.lowest(branch);
            for (std::uint32_t node = nodes.offset[b]; node != lowest; ++node) {
                image[nodes.canonical[node]] = nodes.canonical[node + 1];
            }
            const Attachment below = attachmentOf(branch, nodes, runs.forest);
            const bool isRoot = below.branch == BranchForest::kNone;
            image[nodes.canonical[lowest]] = nodes.canonical[isRoot ? lowest : below.node];
        },
        1U << 10);
}

Buffer<std::uint32_t> build(const Image& image, const TreeSpec& spec, const JobControl& control, StageTimer& timer) {
    BranchRuns runs = buildTileTrees(image, spec, TileParts::links, control);
    timer.finish("tiles");
    joinSeams(runs, image, spec, control);
    timer.finish("seams");
    const BranchNodes nodes = collectNodes(runs, std::size_t{maxLevelOf(image.type())} + 1, control);
    timer.finish("nodes");
    flattenTiles(runs, nodes, control);
    flattenBranches(runs, nodes, control);
    timer.finish("flatten");
    return std::move(runs.placeOfPixel);
}

} // namespace

Buffer<std::uint32_t> buildParentImage(const Image& image, const TreeSpec& spec, const JobControl& control,
                                       StageTimer& timer) {
    try {
        return build(image, spec, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

} // namespace pollard::cpu

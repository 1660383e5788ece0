#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_forest.hpp"
#include "cpu/tile_grid.hpp"
#include "cpu/tile_tree.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <vector>

namespace pollard::cpu {

/// The tile trees of a whole image, with their seams joined. Branches and runs depend on several tiles; islands or
/// links (see TileTree) on one.
struct BranchRuns {
    TileGrid grid{};
    BranchForest forest;
    Buffer<std::uint32_t> placeOfPixel;       ///< per pixel: run in its tile or, offset by the number of runs, node
    std::vector<std::uint32_t> runBase;       ///< per tile: index of its first run; then the total
    std::vector<std::uint32_t> islandBase;    ///< per tile: index of its first island; then the total
    std::vector<std::vector<TileNode>> nodes; ///< per tile: nodes of its islands
    std::size_t nodeCount = 0;                ///< over all tiles
    Buffer<TileIsland> islands;
    std::vector<std::vector<TileLink>> links; ///< per tile
    Buffer<std::uint16_t> runLevel;           ///< per run, as tree level (flipped for a min-tree)
    Buffer<std::uint32_t> runBranch;          ///< per run: the branch that represents it in its tile
    Buffer<std::uint32_t> runCanonical;       ///< per run: last pixel in raster order
};

/// Form of the components that touch no seam.
enum class TileParts : std::uint8_t { islands, links };

/// Stage 1: the tree of every tile, in parallel.
[[nodiscard]] BranchRuns buildTileTrees(const Image& image, bool minTree, bool eight, TileParts parts,
                                        const JobControl& control);

/// Stage 2: joins the branches of neighbouring tiles, in parallel.
void joinSeams(BranchRuns& runs, const Image& image, bool minTree, bool eight, const JobControl& control);

} // namespace pollard::cpu

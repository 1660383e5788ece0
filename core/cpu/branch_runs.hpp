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

/// The tile trees of a whole image after their seams were joined. What several tiles have a say in is in branches and
/// runs, the rest in islands or links (see TileTree).
struct BranchRuns {
    TileGrid grid{};
    BranchForest forest;
    Buffer<std::uint32_t> placeOfPixel;       ///< per pixel: run in its tile or, behind the numbers of these, node
    std::vector<std::uint32_t> runBase;       ///< per tile: number of its first run; one more at the end
    std::vector<std::uint32_t> islandBase;    ///< the same for `islands`
    std::vector<std::vector<TileNode>> nodes; ///< per tile: those of its islands
    std::size_t nodeCount = 0;                ///< of all tiles
    Buffer<TileIsland> islands;
    std::vector<std::vector<TileLink>> links; ///< per tile
    Buffer<std::uint16_t> runLevel;           ///< per run, in the order of the tree (flipped for a min-tree)
    Buffer<std::uint32_t> runBranch;          ///< per run: branch of its tile at its level
    Buffer<std::uint32_t> runCanonical;       ///< per run: last pixel in raster order
};

/// What is wanted of the components that touch no seam.
enum class TileParts : std::uint8_t { islands, links };

/// Stage 1: the tree of every tile, in parallel.
[[nodiscard]] BranchRuns buildTileTrees(const Image& image, bool minTree, bool eight, TileParts parts,
                                        const JobControl& control);

/// Stage 2: joins the branches of neighbouring tiles, in parallel.
void joinSeams(BranchRuns& runs, const Image& image, bool minTree, bool eight, const JobControl& control);

} // namespace pollard::cpu

#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/tile_ascent.hpp"
#include "cuda/boruvka/tile_codes.hpp"
#include "cuda/boruvka/tile_edges.hpp"
#include "cuda/boruvka/tile_forest.hpp"
#include "cuda/boruvka/tile_hooking.hpp"
#include "cuda/boruvka/turned_levels.hpp"

#include <type_traits>

namespace pollard::cuda {

/// Pass 1, one block per tile: finds all branches that end within the tile, and the edges to be joined between tiles.
/// Each pixel gets the code of its branch (BranchCode) as known within the tile.
template <class Level, class Shape_, bool kEight> struct TilePass {
    using Shape = Shape_;
    using Memory = TileMemory<Level, Shape>;

    TurnedLevels<Level> image;
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    BranchCounts* counts; ///< 0 at the start
    std::uint32_t* codes; ///< per pixel
    std::uint32_t* closedSaddles;
    EdgeList edges;
    BorderLabels labels;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t left = blockOfGrid() % tileColumns * Shape::kWidth;
        const std::uint32_t top = blockOfGrid() / tileColumns * Shape::kHeight;
        TileWork<Level, Shape, kEight> tile{{},
                                            memory,
                                            threadOfBlock(),
                                            left,
                                            top,
                                            width - left < Shape::kWidth ? width - left : Shape::kWidth,
                                            height - top < Shape::kHeight ? height - top : Shape::kHeight,
                                            width,
                                            height};
        loadTile(tile, image);
        ascend(tile);
        forgetInnerEdges(tile);
        hookWithinTile(tile);
        numberBranches(tile, counts);
        writeCodes(tile, codes, closedSaddles);
        writeBorderLabels(tile, labels);
        meetThreads();
        keepForest(tile);
        writeForest(tile, counts, edges);
    }
};

} // namespace pollard::cuda

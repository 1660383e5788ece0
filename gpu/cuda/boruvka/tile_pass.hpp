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

/// Pass 1, a block a tile: all branches that end within their tile, and what remains to be joined between tiles. Every
/// pixel gets the code of its branch (BranchCode) as far as the tile can tell.
template <class Level, class Shape_, bool kEight> struct TilePass {
    using Shape = Shape_;
    using Memory = TileMemory<Level, Shape>;

    TurnedLevels<Level> image;
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    BranchCounts* counts; ///< all 0
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

#pragma once

#include "cuda/rims/rim_forest.hpp"
#include "cuda/rims/rim_tile.hpp"
#include "cuda/rims/tile_edges.hpp"
#include "cuda/rims/tile_rim.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Pass 1, one block per tile: the tree of the tile as codes (RimCode), the slots of its rim, and the edges to its
/// right and lower neighbours.
template <class Level, class Shape_, bool kEight> struct RimTilePass {
    using Shape = Shape_;
    using Memory = RimMemory<Level, Shape>;

    LevelView<Level> image;
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    RimCounts* counts;        ///< zero at the start
    std::uint16_t* codes;     ///< per pixel
    std::uint32_t* firstSlot; ///< per tile, row-major
    RimForest<Level> forest;
    RimEdge* edges;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t left = blockOfGrid() % tileColumns * Shape::kWidth;
        const std::uint32_t top = blockOfGrid() / tileColumns * Shape::kHeight;
        const RimTile<Level, Shape, kEight> tile{memory,
                                                 threadOfBlock(),
                                                 left,
                                                 top,
                                                 width - left < Shape::kWidth ? width - left : Shape::kWidth,
                                                 height - top < Shape::kHeight ? height - top : Shape::kHeight,
                                                 width,
                                                 height};
        for (std::uint32_t word = tile.thread; word < Shape::kWords; word += Shape::kThreads) {
            memory.rim[word] = 0;
        }
        if (tile.thread == 0) {
            memory.slotCount = 0;
        }
        loadTile(tile, image);
        buildColumn(tile);
        meetThreads();
        joinColumns(tile);
        meetThreads();
        flattenTile(tile);
        meetThreads();
        findRim(tile, image, edges, &counts->edges);
        meetThreads();
        numberRim(tile);
        meetThreads();
        if (tile.thread == 0) {
            memory.firstSlot = memory.slotCount > 0 ? addTo(&counts->slots, memory.slotCount) : 0U;
            firstSlot[blockOfGrid()] = memory.firstSlot;
        }
        meetThreads();
        writeCodes(tile, codes, forest);
    }
};

} // namespace pollard::cuda

#pragma once

#include "cuda/boruvka/block_codes.hpp"
#include "cuda/boruvka/block_forest.hpp"
#include "cuda/boruvka/block_hooking.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/tile_ascent.hpp"
#include "cuda/boruvka/tile_leaving.hpp"
#include "cuda/boruvka/tile_work.hpp"
#include "cuda/boruvka/turned_levels.hpp"

#include <cstddef>

namespace pollard::cuda {

/// Removes the edges between pixels of one maximum, which are the majority: a uniform loop does this faster than the
/// rounds of hookWithinBlock(). (Also removing the lower ones of adjacent edges between the same two maxima costs more
/// than it saves.)
template <class Work> POLLARD_DEVICE void forgetInnerEdges(Work& tile) {
    const auto& basin = tile.memory.basin;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        const std::uint32_t flags = tile.flags.get(k);
        const std::uint32_t here = basin[place];
        std::uint32_t inner = 0;
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            const std::uint32_t bit = Work::kEdge0 << n;
            if ((flags & bit) != 0 && basin[Work::moved(place, Work::step(Work::ownDirection(n)))] == here) {
                inner |= bit;
            }
        }
        tile.flags.remove(k, inner);
    });
}

/// Writes the components along the border of the tile.
template <class Work> POLLARD_DEVICE void writeBorderLabels(const Work& tile, const BorderLabels& labels) {
    using Shape = typename Work::Shape;
    const auto& memory = tile.memory;
    const auto componentOf = [&](std::uint32_t x, std::uint32_t y) {
        return memory.firstFrozen + memory.basin[memory.label[y * Shape::kWidth + x]];
    };
    const std::size_t row = 2 * std::size_t{tile.top / Shape::kHeight};
    tile.forShare(tile.width, [&](std::uint32_t x) {
        labels.rows[row * tile.imageWidth + tile.left + x] = componentOf(x, 0);
        labels.rows[(row + 1) * tile.imageWidth + tile.left + x] = componentOf(x, tile.height - 1);
    });
    const std::size_t column = 2 * std::size_t{tile.left / Shape::kWidth};
    tile.forShare(tile.height, [&](std::uint32_t y) {
        labels.columns[column * tile.imageHeight + tile.top + y] = componentOf(0, y);
        labels.columns[(column + 1) * tile.imageHeight + tile.top + y] = componentOf(tile.width - 1, y);
    });
}

/// Pass 1, one block per tile: finds all branches that end within the tile, and the edges to be joined between tiles.
/// Each pixel gets the code of its branch (BranchCode) as known within the tile.
template <class Level, class Shape_, bool kEight> struct TilePass {
    using Shape = Shape_;
    using Memory = BlockMemory<Level, Shape>;

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
        TileWork<Level, Shape, kEight> tile{{memory, threadOfBlock()},
                                            {},
                                            left,
                                            top,
                                            width - left < Shape::kWidth ? width - left : Shape::kWidth,
                                            height - top < Shape::kHeight ? height - top : Shape::kHeight,
                                            width,
                                            height};
        loadTile(tile, image);
        linkUpwards(tile);
        followToMaxima(tile);
        forgetInnerEdges(tile);
        hookWithinBlock(tile, LeavingEdges(tile));
        numberBranches(tile, counts);
        writeCodes(tile, codes, closedSaddles);
        writeBorderLabels(tile, labels);
        meetThreads();
        keepForest(tile);
        writeForest(tile, counts, edges);
    }
};

} // namespace pollard::cuda

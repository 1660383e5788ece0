#pragma once

#include "cuda/boruvka/branch_capacity.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/seam_edges.hpp"
#include "cuda/boruvka/tile_pass.hpp"
#include "cuda/boruvka/turned_levels.hpp"
#include "image/extent.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Passes 1 and 2 of a BranchBuild for images: tiles and the seams between them.
template <class Shape_, bool kEight> struct PlaneDomain {
    using Shape = Shape_;

    [[nodiscard]] static BranchCapacity capacity(const Extent& extent) noexcept {
        return BranchCapacity::of<Shape>(extent.width, extent.height, kEight);
    }

    /// @param labelWords memory of BranchCapacity::labels numbers
    template <class Machine, class Level> static void findEdges(Machine& machine, const TurnedLevels<Level>& image,
                                                                const Extent& extent, std::uint32_t* labelWords,
                                                                const FoundBranches& found) {
        const std::uint32_t width = extent.width;
        const std::uint32_t height = extent.height;
        const BranchCapacity grid = capacity(extent);
        const BorderLabels labels{labelWords, labelWords + 2 * std::size_t{grid.tileRows} * width};
        machine.tiles(TilePass<Level, Shape, kEight>{image, width, height, grid.tileColumns, found.counts, found.codes,
                                                     found.closedSaddles, found.edges, labels},
                      grid.tileColumns * grid.tileRows);
        machine.finish("tiles");
        for (const bool horizontal : {true, false}) {
            const std::uint32_t side = horizontal ? Shape::kHeight : Shape::kWidth;
            const std::uint32_t along = horizontal ? Shape::kWidth : Shape::kHeight;
            machine.each(ListSeamEdges<Level, kEight>{image, width, height, side, along, horizontal,
                                                      horizontal ? labels.rows : labels.columns, found.counts,
                                                      found.edges},
                         ListSeamEdges<Level, kEight>::count(width, height, side, horizontal));
        }
        machine.finish("seams");
    }
};

} // namespace pollard::cuda

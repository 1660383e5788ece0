#pragma once

#include "cuda/boruvka/branch_capacity.hpp"
#include "cuda/boruvka/bricks/brick_pass.hpp"
#include "cuda/boruvka/bricks/face_edges.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/turned_levels.hpp"
#include "image/extent.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Passes 1 and 2 of a BranchBuild for volumes with 6, 18 or 26 neighbours: bricks and the faces between them.
template <class Shape_, int kNeighbours> struct BrickDomain {
    using Shape = Shape_;

    [[nodiscard]] static BranchCapacity capacity(const Extent& volume) noexcept {
        const Faces faces(volume);
        const std::uint64_t bricks = bricksOf(volume);
        BranchCapacity all{};
        // Two adjacent voxels are never both maxima, so at most every other voxel of a brick is one.
        all.maxima = (std::uint64_t{volume.pixelCount()} + bricks) / 2;
        // Each frozen component contains a maximum, and a voxel on a face of its brick.
        all.frozen = std::min(all.maxima, bricks * Shape::kBorder);
        // A forest within each brick. Across a face, for every pair of voxels that face each other, one edge with 6
        // neighbours; with 26, too: a cube of eight voxels has at most one edge across the face that may matter, and
        // every edge lies in a cube. With 18, a straight edge and one diagonal in each of two squares. Of edges that
        // cross two faces or three, one for each square and, with 26 neighbours, each cube there.
        all.edges = all.frozen;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            all.edges += faces.axes[axis].pairs() * (kNeighbours == 18 ? 3 : 1);
            const std::uint64_t lines =
                std::uint64_t{faces.axes[(axis + 1) % 3].faces} * faces.axes[(axis + 2) % 3].faces;
            const std::uint64_t along[] = {volume.width, volume.height, volume.slices};
            all.edges += lines * along[axis] * (kNeighbours == 6 ? 0 : kNeighbours == 18 ? 1 : 2);
            all.labels += faces.axes[axis].labels();
        }
        return all;
    }

    /// @param labelWords memory of BranchCapacity::labels numbers
    template <class Machine, class Level> static void findEdges(Machine& machine, const TurnedLevels<Level>& image,
                                                                const Extent& volume, std::uint32_t* labelWords,
                                                                const FoundBranches& found) {
        const Faces faces(volume);
        FaceLabels labels{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            labels.ofAxis[axis] = labelWords;
            labelWords += faces.axes[axis].labels();
        }
        machine.tiles(BrickPass<Level, Shape, kNeighbours>{image, volume, found, labels},
                      static_cast<std::uint32_t>(bricksOf(volume)));
        machine.finish("bricks");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            machine.each(ListFaceEdges<Level, kNeighbours>{image, faces.axes[axis], labels.ofAxis[axis], found.counts,
                                                           found.edges},
                         faces.axes[axis].pairs());
        }
        machine.finish("faces");
    }

private:
    struct Faces {
        explicit Faces(const Extent& volume) noexcept
            : axes{FaceAxis::of<Shape>(0, volume), FaceAxis::of<Shape>(1, volume), FaceAxis::of<Shape>(2, volume)} {}

        FaceAxis axes[3];
    };

    [[nodiscard]] static std::uint64_t bricksOf(const Extent& volume) noexcept {
        const Faces faces(volume);
        return (std::uint64_t{faces.axes[0].faces} + 1) * (faces.axes[1].faces + 1) * (faces.axes[2].faces + 1);
    }
};

} // namespace pollard::cuda

#pragma once

#include "cuda/boruvka/bricks/brick_work.hpp"

namespace pollard::cuda {

/// The highest edge that leaves the brick from each voxel on a face, distributed over the threads.
template <class Work> struct BrickLeavingEdges {
    using Shape = typename Work::Shape;
    static constexpr int kShare = static_cast<int>((Shape::kBorder + Shape::kThreads - 1) / Shape::kThreads);

    std::uint32_t edge[kShare];  ///< Work::kNoEdge if none leaves
    std::uint16_t basin[kShare]; ///< of the voxel

    POLLARD_DEVICE explicit BrickLeavingEdges(const Work& brick) {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            edge[n] = Work::kNoEdge;
            basin[n] = 0;
            const std::uint32_t i = brick.thread + static_cast<std::uint32_t>(n) * Shape::kThreads;
            if (i < Shape::kBorder) {
                const auto face = BrickFacePlace::of<Shape>(i);
                if (brick.has(face.at)) {
                    const std::uint32_t place = Work::placeAt(face.at);
                    basin[n] = brick.memory.basin[place];
                    edge[n] = highest(brick, face, Work::haloOf(place));
                }
            }
        }
    }

    /// Proposes these edges to the components of their voxels.
    POLLARD_DEVICE void propose(Work& brick) const {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            if (edge[n] != Work::kNoEdge) {
                raiseTo(&brick.memory.best[brick.memory.label[basin[n]]], edge[n]);
            }
        }
    }

private:
    /// The highest edge across the face: the lower one of the voxel and its highest neighbour there.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t highest(const Work& brick, const BrickFacePlace& face,
                                                              std::uint32_t halo) {
        const Extent& volume = brick.volume;
        const Voxel at{brick.first.x + face.at.x, brick.first.y + face.at.y, brick.first.z + face.at.z};
        // Across the face, and along it: u before v.
        const bool isX = face.axis == 0;
        const bool isZ = face.axis == 2;
        const std::uint32_t outside = (isX ? at.x : isZ ? at.z : at.y) + (face.isFar ? 1U : ~0U);
        if (outside >= (isX ? volume.width : isZ ? volume.slices : volume.height)) {
            return Work::kNoEdge;
        }
        const std::uint32_t u = isX ? at.y : at.x;
        const std::uint32_t v = isZ ? at.y : at.z;
        const std::uint32_t lengthU = isX ? volume.height : volume.width;
        const std::uint32_t lengthV = isZ ? volume.height : volume.slices;
        const std::uint32_t stepU = isX ? Shape::kPitch : 1;
        const std::uint32_t stepV = isZ ? Shape::kPitch : Shape::kHaloSlice;
        const std::uint32_t across = isX ? 1 : isZ ? Shape::kHaloSlice : Shape::kPitch;
        const std::uint32_t beyond = face.isFar ? halo + across : halo - across;
        std::uint32_t key = Work::kNoEdge;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int t = 0; t < 9; ++t) {
            const int alongU = t % 3 - 1;
            const int alongV = t / 3 - 1;
            if (Work::Neighbours::has(alongU, alongV, 1) && u + static_cast<std::uint32_t>(alongU) < lengthU &&
                v + static_cast<std::uint32_t>(alongV) < lengthV) {
                const std::uint32_t other = brick.key(beyond + static_cast<std::uint32_t>(alongU) * stepU +
                                                      static_cast<std::uint32_t>(alongV) * stepV);
                key = other > key ? other : key;
            }
        }
        return Work::lower(key, brick.key(halo));
    }
};

} // namespace pollard::cuda

#pragma once

#include "cuda/boruvka/bricks/face_axis.hpp"
#include "cuda/boruvka/bricks/face_places.hpp"
#include "cuda/boruvka/bricks/space_direction.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/turned_levels.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Pass 2, one thread per pair of voxels that face each other across the faces of an axis: lists the edges from each of
/// the two, as their lower end, to the other layer, as far as they may matter. An edge is superfluous if a voxel above
/// its lower end, next to both ends, lies in their bounding box, or in the brick of the lower end, or comes first in
/// that of the other end (FacePlaces::Beside); a straight one also if one beside it between the same two bricks is
/// higher.
template <class Level, int kNeighbours> struct ListFaceEdges {
    using Places = FacePlaces<kNeighbours>;

    TurnedLevels<Level> image;
    FaceAxis axis;
    const std::uint32_t* labels; ///< FaceLabels of this axis
    BranchCounts* counts;
    EdgeList edges;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t layer = axis.lengthU * axis.lengthV;
        const auto face = static_cast<std::uint32_t>(i) / layer;
        const auto at = static_cast<std::uint32_t>(i) % layer;
        const std::uint32_t u = at % axis.lengthU;
        const std::uint32_t v = at / axis.lengthU;
        const std::uint32_t near = ((face + 1) * axis.brick - 1) * axis.step + v * axis.stepV + u * axis.stepU;
        const std::uint32_t far = near + axis.step;

        int nearLevels[Places::kCount];
        int farLevels[Places::kCount];
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int t = 0; t < Places::kCount; ++t) {
            nearLevels[t] = farLevels[t] = -1; // outside: above nothing
            if (u + static_cast<std::uint32_t>(Places::u(t)) < axis.lengthU &&
                v + static_cast<std::uint32_t>(Places::v(t)) < axis.lengthV) {
                const std::uint32_t to = moved(0, axis.stepU, axis.stepV, t);
                nearLevels[t] = image[near + to];
                farLevels[t] = image[far + to];
            }
        }
        // Above the near and the far centre, in its own layer and in the other one. The level decides, then the index.
        std::uint32_t aboveNear = 0;
        std::uint32_t acrossNear = 0;
        std::uint32_t aboveFar = 0;
        std::uint32_t acrossFar = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int t = 0; t < Places::kCount; ++t) {
            const std::uint32_t out =
                moved(SpaceDirection::kNowhere + axis.direction, axis.directionU, axis.directionV, t);
            const std::uint32_t back =
                moved(SpaceDirection::kNowhere - axis.direction, axis.directionU, axis.directionV, t);
            const std::uint32_t bit = 1U << t;
            if (t != 4) {
                aboveNear |= nearLevels[t] + (t > 4 ? 1 : 0) > nearLevels[4] ? bit : 0U;
                aboveFar |= farLevels[t] + (t > 4 ? 1 : 0) > farLevels[4] ? bit : 0U;
            }
            acrossNear |= farLevels[t] + (out > SpaceDirection::kNowhere ? 1 : 0) > nearLevels[4] ? bit : 0U;
            acrossFar |= nearLevels[t] + (back > SpaceDirection::kNowhere ? 1 : 0) > farLevels[4] ? bit : 0U;
        }
        const std::uint32_t crossingU =
            (u % axis.brickU == 0 ? Places::kLowU : 0U) | (u % axis.brickU == axis.brickU - 1 ? Places::kHighU : 0U);
        const std::uint32_t crossingV =
            (v % axis.brickV == 0 ? Places::kLowV : 0U) | (v % axis.brickV == axis.brickV - 1 ? Places::kHighV : 0U);
        const std::uint32_t inBrick = ~(crossingU | crossingV);
        const std::uint32_t listed = ~((axis.takesCrossingU ? 0U : crossingU) | (axis.takesCrossingV ? 0U : crossingV));
        std::uint32_t fromNear = edgesOf(aboveNear, acrossNear, inBrick) & listed;
        std::uint32_t fromFar = edgesOf(aboveFar, acrossFar, inBrick) & listed;
        const std::uint32_t higherBeside =
            (fromNear & Places::kCentre) != 0 ? aboveNear & acrossNear : aboveFar & acrossFar;
        if ((higherBeside & Places::lateral() & inBrick) != 0) {
            fromNear &= ~Places::kCentre;
            fromFar &= ~Places::kCentre;
        }

        const std::uint32_t* const nearLabels = labels + (2 * std::size_t{face} + 1) * layer;
        const std::uint32_t* const farLabels = nearLabels + layer;
        for (std::uint32_t left = fromNear; left != 0; left &= left - 1) {
            const int t = lowestBit(left);
            append(nearLabels[at], farLabels[moved(at, 1, axis.lengthU, t)], nearLevels[4], near,
                   moved(SpaceDirection::kNowhere + axis.direction, axis.directionU, axis.directionV, t));
        }
        for (std::uint32_t left = fromFar; left != 0; left &= left - 1) {
            const int t = lowestBit(left);
            append(farLabels[at], nearLabels[moved(at, 1, axis.lengthU, t)], farLevels[4], far,
                   moved(SpaceDirection::kNowhere - axis.direction, axis.directionU, axis.directionV, t));
        }
    }

private:
    /// A place or direction, moved to place @p t of the nine.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t moved(std::uint32_t from, std::uint32_t stepU,
                                                            std::uint32_t stepV, int t) {
        return from + static_cast<std::uint32_t>(Places::u(t)) * stepU +
               static_cast<std::uint32_t>(Places::v(t)) * stepV;
    }
    /// Places of the other layer to which the centre of a layer, as the lower end, has an edge that may matter.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t edgesOf(std::uint32_t above, std::uint32_t across,
                                                              std::uint32_t inBrick) {
        std::uint32_t edges = 0;
        forEachPlace([&]<int kTo>() {
            if constexpr (Places::has(kTo)) {
                constexpr auto kBeside = Places::beside(kTo);
                const bool isInBrick = (inBrick >> kTo & 1U) != 0;
                const std::uint32_t detours =
                    (above & ((kBeside.near & inBrick) | kBeside.box)) |
                    (across & ((isInBrick ? kBeside.otherFirst & inBrick : 0U) | kBeside.otherBox));
                edges |= detours == 0 ? across & 1U << kTo : 0U;
            }
        });
        return edges;
    }
    template <class Visit> POLLARD_DEVICE static void forEachPlace(const Visit& visit) {
        forEachOf(visit, std::make_integer_sequence<int, Places::kCount>{});
    }
    template <class Visit, int... kTo>
    POLLARD_DEVICE static void forEachOf(const Visit& visit, std::integer_sequence<int, kTo...>) {
        (visit.template operator()<kTo>(), ...);
    }
    POLLARD_DEVICE void append(std::uint32_t one, std::uint32_t other, int level, std::uint32_t lower,
                               std::uint32_t direction) const {
        const std::uint32_t place = takePlace(&counts->edges[0]);
        edges.one[place] = one;
        edges.other[place] = other;
        edges.key[place] = EdgeKey::make(static_cast<std::uint32_t>(level), lower, direction);
    }
};

} // namespace pollard::cuda

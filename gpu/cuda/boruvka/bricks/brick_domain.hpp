#pragma once

#include "cuda/boruvka/bricks/brick_pass.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// The faces between bricks across one axis. u and v are the other two axes, in the order x, y, z.
struct FaceAxis {
    std::uint32_t faces;                             ///< number of layers of faces
    std::uint32_t lengthU, lengthV;                  ///< of the volume, voxels
    std::uint32_t brick, brickU, brickV;             ///< sides of a brick
    std::uint32_t step, stepU, stepV;                ///< to the next voxel, in numbers of voxels
    std::uint32_t direction, directionU, directionV; ///< the same in SpaceDirection
    bool takesCrossingU, takesCrossingV;             ///< whether edges that cross faces across u or v as well
                                                     ///< belong to this axis: they do to the first one

    /// @param axis 0 to 2 for x to z
    template <class Shape> [[nodiscard]] static FaceAxis of(std::uint32_t axis, const Extent& volume) noexcept {
        const std::uint32_t lengths[3] = {volume.width, volume.height, volume.slices};
        const std::uint32_t sides[3] = {Shape::kWidth, Shape::kHeight, Shape::kDepth};
        const std::uint32_t steps[3] = {1, volume.width, volume.width * volume.height};
        const std::uint32_t directions[3] = {1, 3, 9};
        const std::uint32_t u = axis == 0 ? 1 : 0;
        const std::uint32_t v = axis == 2 ? 1 : 2;
        return {(lengths[axis] - 1) / sides[axis],
                lengths[u],
                lengths[v],
                sides[axis],
                sides[u],
                sides[v],
                steps[axis],
                steps[u],
                steps[v],
                directions[axis],
                directions[u],
                directions[v],
                axis < u,
                axis < v};
    }
    /// Number of pairs of voxels that face each other.
    [[nodiscard]] std::size_t pairs() const noexcept { return std::size_t{faces} * lengthU * lengthV; }
    /// Numbers of labels: two layers of voxels for every layer of bricks.
    [[nodiscard]] std::size_t labels() const noexcept { return 2 * (std::size_t{faces} + 1) * lengthU * lengthV; }
};

/// The nine places around a voxel's place in one of the two layers of a face, one bit each; 4 is its own.
template <int kNeighbours> struct FacePlaces {
    using Neighbours = Neighbourhood<kNeighbours>;
    static constexpr int kCount = 9;
    static constexpr std::uint32_t kCentre = 1U << 4U;
    static constexpr std::uint32_t kLowU = 0x49, kHighU = 0x124, kLowV = 0x7, kHighV = 0x1c0;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int u(int place) noexcept { return place % 3 - 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int v(int place) noexcept { return place / 3 - 1; }

    /// Whether the centre of a layer has an edge to this place of the other layer.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(int to) noexcept {
        return Neighbours::has(u(to), v(to), 1);
    }

    /// Places next to both ends of an edge, in the layer of the lower end and in the opposite layer.
    struct PlacesBesideEdge {
        std::uint32_t box, otherBox; ///< places in the bounding box of the ends
        std::uint32_t near;          ///< all places in the layer of the lower end
        std::uint32_t otherFirst; ///< places of the opposite layer with a shorter edge, or a later one of equal length
    };
    /// Places beside the edge from the centre of a layer, its lower end, to place @p to of the opposite layer.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr PlacesBesideEdge beside(int to) noexcept {
        PlacesBesideEdge all{};
        for (int by = 0; by < kCount; ++by) {
            const std::uint32_t bit = 1U << by;
            const bool isInBox = (u(by) == 0 || u(by) == u(to)) && (v(by) == 0 || v(by) == v(to));
            const bool isNear = by != 4 && Neighbours::has(u(by), v(by), 0) && //
                                Neighbours::has(u(by) - u(to), v(by) - v(to), 1);
            const bool isFar = by != to && Neighbours::has(u(by), v(by), 1) && //
                               Neighbours::has(u(by) - u(to), v(by) - v(to), 0);
            const int length = Neighbours::length(u(by), v(by), 1);
            const int lengthTo = Neighbours::length(u(to), v(to), 1);
            all.near |= isNear ? bit : 0U;
            all.box |= isNear && isInBox ? bit : 0U;
            all.otherBox |= isFar && isInBox ? bit : 0U;
            all.otherFirst |= isFar && (length < lengthTo || (length == lengthTo && by > to)) ? bit : 0U;
        }
        return all;
    }
    /// Places to which straight edges next to the centre's may lead.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t lateral() noexcept {
        std::uint32_t bits = 0;
        for (int place = 0; place < kCount; ++place) {
            bits |= Neighbours::has(u(place), v(place), 0) ? 1U << place : 0U;
        }
        return bits;
    }
};

/// Pass 2, one thread per pair of voxels that face each other across the faces of an axis. For either voxel, lists the
/// edges to the opposite layer whose lower end is this voxel, unless they are superfluous. An edge is superfluous if a
/// voxel next to both ends is above the lower end and lies in the bounding box of the ends, in the brick of the lower
/// end, or, in the brick of the other end, among FacePlaces::PlacesBesideEdge::otherFirst. A straight edge is also
/// superfluous if an adjacent straight edge between the same two bricks is higher.
template <class Level, int kNeighbours> struct ListFaceEdges {
    using Places = FacePlaces<kNeighbours>;

    RotatedLevels<Level> image;
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
        // Places above the near and the far centre, in the same and in the opposite layer: by level, then by index.
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
    template <class Machine, class Level> static void findEdges(Machine& machine, const RotatedLevels<Level>& image,
                                                                const Extent& volume, std::uint32_t* labelWords,
                                                                const BranchOutput& found) {
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

#pragma once

#include "base/compiler.hpp"
#include "cuda/boruvka/block_work.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// A direction to a neighbour of a voxel: 0 to 26 without 13, in the order of voxel indices. The steps x, y and z are
/// -1 to 1.
struct SpaceDirection {
    static constexpr std::uint32_t kCount = 27;
    static constexpr std::uint32_t kNowhere = 13;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int x(std::uint32_t direction) noexcept {
        return static_cast<int>(direction % 3) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int y(std::uint32_t direction) noexcept {
        return static_cast<int>(direction / 3 % 3) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int z(std::uint32_t direction) noexcept {
        return static_cast<int>(direction / 9) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t opposite(std::uint32_t direction) noexcept {
        return kCount - 1 - direction;
    }
};

/// The 6, 18 or 26 neighbours of a voxel, which share a face, an edge or a corner with it. Lengths are numbers of steps
/// along the axes.
template <int kNeighbours> struct Neighbourhood {
    static_assert(kNeighbours == 6 || kNeighbours == 18 || kNeighbours == 26);
    static constexpr int kReach = kNeighbours == 6 ? 1 : kNeighbours == 18 ? 2 : 3; ///< largest length

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int length(int x, int y, int z) noexcept {
        return (x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int length(std::uint32_t direction) noexcept {
        return length(SpaceDirection::x(direction), SpaceDirection::y(direction), SpaceDirection::z(direction));
    }
    /// Whether voxels with this offset are neighbours.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(int x, int y, int z) noexcept {
        return x * x <= 1 && y * y <= 1 && z * z <= 1 && length(x, y, z) >= 1 && length(x, y, z) <= kReach;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool has(std::uint32_t direction) noexcept {
        return length(direction) >= 1 && length(direction) <= kReach;
    }

    /// A bit for each direction.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t directions() noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t direction = 0; direction < SpaceDirection::kCount; ++direction) {
            bits |= has(direction) ? 1U << direction : 0U;
        }
        return bits;
    }
    /// Directions to voxels beside an edge within a brick, from its lower end; @p direction leads to its higher end.
    /// Has the voxels next to both ends to which the step is shorter than the edge, or equally long and later in the
    /// order. If one of these voxels is above the lower end, the edge is superfluous (docs/algorithms.md).
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t detours(std::uint32_t direction) noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t by = 0; by < SpaceDirection::kCount; ++by) {
            const bool isBeside = has(SpaceDirection::x(by) - SpaceDirection::x(direction),
                                      SpaceDirection::y(by) - SpaceDirection::y(direction),
                                      SpaceDirection::z(by) - SpaceDirection::z(direction));
            const bool isFirst = length(by) < length(direction) || (length(by) == length(direction) && by > direction);
            bits |= has(by) && isBeside && isFirst ? 1U << by : 0U;
        }
        return bits;
    }

    /// Calls visit.operator()<direction>() for every direction.
    template <class Visit> POLLARD_DEVICE static void forEach(const Visit& visit) {
        forEachOf(visit, std::make_integer_sequence<std::uint32_t, SpaceDirection::kCount>{});
    }

private:
    template <class Visit, std::uint32_t... kDirections>
    POLLARD_DEVICE static void forEachOf(const Visit& visit, std::integer_sequence<std::uint32_t, kDirections...>) {
        (visitOne<kDirections>(visit), ...);
    }
    template <std::uint32_t kDirection, class Visit> POLLARD_DEVICE static void visitOne(const Visit& visit) {
        if constexpr (has(kDirection)) {
            visit.template operator()<kDirection>();
        }
    }
};

/// Size of a brick in voxels, and number of threads.
template <int kWidth_, int kHeight_, int kDepth_, int kThreads_> struct BrickShape {
    static constexpr std::uint32_t kWidth = kWidth_;
    static constexpr std::uint32_t kHeight = kHeight_;
    static constexpr std::uint32_t kDepth = kDepth_;
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kSlice = kWidth * kHeight;
    static constexpr std::uint32_t kPixels = kSlice * kDepth;
    static constexpr std::uint32_t kPitch = kWidth + 2; ///< row length of the brick with its halo of one voxel
    static constexpr std::uint32_t kHaloSlice = kPitch * (kHeight + 2);
    static constexpr std::uint32_t kHaloPixels = kHaloSlice * (kDepth + 2);
    static constexpr std::uint32_t kBorder = 2 * (kSlice + (kWidth + kHeight) * kDepth); ///< voxels on the six faces
    static_assert(kPixels % kThreads == 0);
    static_assert(kHaloPixels <= 1U << 16U, "16 bits of level, 16 of place");
    using ForestEdge = std::uint32_t; ///< place and direction
};

/// A place on one of the six faces of a brick's shape.
struct BrickFacePlace {
    std::uint32_t axis; ///< across the face: 0 to 2 for x to z
    bool isFar;         ///< the face with the larger coordinate
    Voxel at;           ///< in the brick

    /// @param i below Shape::kBorder; voxels on edges of the brick come once a face
    template <class Shape> [[nodiscard]] POLLARD_DEVICE static BrickFacePlace of(std::uint32_t i) {
        constexpr std::uint32_t kAcrossZ = 2 * Shape::kSlice;
        constexpr std::uint32_t kAcrossY = 2 * Shape::kWidth * Shape::kDepth;
        if (i < kAcrossZ) {
            const bool isFar = i >= Shape::kSlice;
            const std::uint32_t in = i % Shape::kSlice;
            return {2, isFar, {in % Shape::kWidth, in / Shape::kWidth, isFar ? Shape::kDepth - 1 : 0}};
        }
        if (i < kAcrossZ + kAcrossY) {
            const std::uint32_t in = (i - kAcrossZ) % (Shape::kWidth * Shape::kDepth);
            const bool isFar = i - kAcrossZ >= Shape::kWidth * Shape::kDepth;
            return {1, isFar, {in % Shape::kWidth, isFar ? Shape::kHeight - 1 : 0, in / Shape::kWidth}};
        }
        const std::uint32_t in = (i - kAcrossZ - kAcrossY) % (Shape::kHeight * Shape::kDepth);
        const bool isFar = i - kAcrossZ - kAcrossY >= Shape::kHeight * Shape::kDepth;
        return {0, isFar, {isFar ? Shape::kWidth - 1 : 0, in % Shape::kHeight, in / Shape::kHeight}};
    }
};

/// One thread's view of its brick. Voxels have a *place* (raster order in the brick) and a *halo place* (raster order
/// in the brick with its halo), which the outer ends of leaving edges have too. Halo places rise with voxel numbers, so
/// keys have the same order in the brick as in the volume.
///
/// An edge is one word, the key of its lower end: 16 bits of level and 16 of halo place leave no room for 26
/// directions. A component's highest edge gives the lower end only. If that lies in another component, this is the
/// partner; else the component at the last neighbour that lies in the brick, above the lower end and in another
/// component, and if there is none, the edge leaves the brick. Two components that choose each other choose edges of
/// one lower end, and longer cycles cannot arise.
template <class Level_, class Shape_, int kNeighbours> struct BrickWork : BlockWork<Level_, Shape_> {
    using Level = Level_;
    using Shape = Shape_;
    using Base = BlockWork<Level, Shape>;
    using Base::memory;
    using Neighbours = Neighbourhood<kNeighbours>;
    static constexpr std::uint32_t kNoEdge = 0; ///< otherwise an edge to a corner of the halo, which freezes as well

    /// Flags of a thread's voxels.
    enum Flag : std::uint32_t {
        kMaximum = 1, ///< within its brick
        kRoot = 2,    ///< of a component
    };
    PixelFlags<Base::kShare, 2> flags;

    /// Edges of a thread's voxels to later ones that may still join two components.
    static constexpr int kOwnEdges = kNeighbours == 6 ? 3 : 13;
    PixelFlagWords<Base::kShare, kOwnEdges> edges;

    Voxel first; ///< of the brick in the volume
    Extent size; ///< of the brick: less than the shape's at the ends of the volume
    Extent volume;

    /// The direction of a voxel's n-th own edge.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t ownDirection(int n) noexcept {
        constexpr std::uint32_t kStraight = 14U | 16U << 8U | 22U << 16U;
        return kNeighbours == 6 ? kStraight >> (8 * n) & 0xffU
                                : SpaceDirection::kNowhere + 1 + static_cast<unsigned>(n);
    }

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t moved(std::uint32_t place, int x, int y,
                                                                           int z) noexcept {
        return place + static_cast<std::uint32_t>(z) * Shape::kSlice + static_cast<std::uint32_t>(y) * Shape::kWidth +
               static_cast<std::uint32_t>(x);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t moved(std::uint32_t place,
                                                                           std::uint32_t direction) noexcept {
        return moved(place, SpaceDirection::x(direction), SpaceDirection::y(direction), SpaceDirection::z(direction));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t haloMoved(std::uint32_t halo, int x, int y,
                                                                               int z) noexcept {
        return halo + static_cast<std::uint32_t>(z) * Shape::kHaloSlice +
               static_cast<std::uint32_t>(y) * Shape::kPitch + static_cast<std::uint32_t>(x);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t haloMoved(std::uint32_t halo,
                                                                               std::uint32_t direction) noexcept {
        return haloMoved(halo, SpaceDirection::x(direction), SpaceDirection::y(direction),
                         SpaceDirection::z(direction));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Voxel voxelOf(std::uint32_t place) noexcept {
        return {place % Shape::kWidth, place / Shape::kWidth % Shape::kHeight, place / Shape::kSlice};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t placeAt(const Voxel& at) noexcept {
        return (at.z * Shape::kHeight + at.y) * Shape::kWidth + at.x;
    }
    /// Coordinates of a halo place in the brick; modulo 2^32 if it lies outside the brick.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Voxel voxelOfHalo(std::uint32_t halo) noexcept {
        return {halo % Shape::kPitch - 1, halo / Shape::kPitch % (Shape::kHeight + 2) - 1,
                halo / Shape::kHaloSlice - 1};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t haloOf(std::uint32_t place) noexcept {
        const Voxel at = voxelOf(place);
        return ((at.z + 1) * (Shape::kHeight + 2) + at.y + 1) * Shape::kPitch + at.x + 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t placeOf(std::uint32_t halo) noexcept {
        return placeAt(voxelOfHalo(halo));
    }

    /// Whether the brick has a voxel, given by coordinates, place or halo place.
    [[nodiscard]] POLLARD_HOST_DEVICE bool has(const Voxel& at) const noexcept {
        return at.x < size.width && at.y < size.height && at.z < size.slices;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool contains(std::uint32_t place) const noexcept { return has(voxelOf(place)); }
    [[nodiscard]] POLLARD_HOST_DEVICE bool owns(std::uint32_t halo) const noexcept { return has(voxelOfHalo(halo)); }
    /// Number in the volume of a voxel of the brick.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelOf(std::uint32_t place) const noexcept {
        const Voxel at = voxelOf(place);
        return ((first.z + at.z) * volume.height + first.y + at.y) * volume.width + first.x + at.x;
    }

    /// A voxel's key within the brick: level, halo place. Also the edges of which it is the lower end.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t key(std::uint32_t halo) const noexcept {
        return static_cast<std::uint32_t>(memory.levels[halo]) << 16U | halo;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t lower(std::uint32_t a, std::uint32_t b) noexcept {
        return a < b ? a : b;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool reaches(std::uint32_t edge, std::uint32_t voxel) noexcept {
        return edge >= voxel;
    }
    /// Whether the lower end of a component's highest edge lies outside. Inside, see partnerOf().
    [[nodiscard]] POLLARD_HOST_DEVICE bool leaves(std::uint32_t edge) const noexcept { return !owns(edge & 0xffffU); }

    /// Ends and direction of an edge of the forest.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t lowerEnd(std::uint32_t edge) noexcept {
        return edge & 0xffffU;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t directionOf(std::uint32_t edge) noexcept {
        return edge >> 16U;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t higherEnd(std::uint32_t edge) noexcept {
        return haloMoved(lowerEnd(edge), directionOf(edge));
    }

    /// Proposes all edges within the brick to the components they connect, and removes edges within one component.
    /// @param rootOf the root of a place
    template <class RootOf> POLLARD_DEVICE void proposeInnerEdges(const RootOf& rootOf) {
        edges.forEach([&](int k, int n) {
            const std::uint32_t place = this->placeOfShare(k);
            const std::uint32_t direction = ownDirection(n);
            const std::uint32_t here = rootOf(place);
            const std::uint32_t there = rootOf(moved(place, direction));
            if (here == there) {
                edges.remove(k, 1U << n);
                return;
            }
            const std::uint32_t halo = haloOf(place);
            const std::uint32_t edge = lower(key(halo), key(haloMoved(halo, direction)));
            raiseTo(&memory.best[here], edge);
            raiseTo(&memory.best[there], edge);
        });
    }
    /// Finds the component to hook @p root to by its highest edge, whose lower end lies in the brick. Returns @p root
    /// itself if the edge leaves the brick, or if it is the highest edge of both components and @p root is the smaller.
    template <class RootOf> [[nodiscard]] POLLARD_DEVICE std::uint32_t partnerOf(std::uint32_t root, std::uint32_t edge,
                                                                                 const RootOf& rootOf) const {
        const std::uint32_t low = edge & 0xffffU;
        const std::uint32_t lowRoot = rootOf(placeOf(low));
        if (lowRoot != root && (memory.best[lowRoot] != edge || lowRoot < root)) {
            return lowRoot;
        }
        const std::uint32_t direction = directionUp(low, [&](std::uint32_t place) { return rootOf(place) != lowRoot; });
        const std::uint32_t highRoot =
            direction == SpaceDirection::kNowhere ? lowRoot : rootOf(placeOf(haloMoved(low, direction)));
        if (lowRoot != root) {
            return highRoot == root ? root : lowRoot;
        }
        return memory.best[highRoot] == edge && root < highRoot ? root : highRoot;
    }
    /// The edge by which @p root is hooked to @p partner, with its direction.
    template <class RootOf> [[nodiscard]] POLLARD_DEVICE std::uint32_t
    forestEdge(std::uint32_t edge, std::uint32_t root, std::uint32_t partner, const RootOf& rootOf) const {
        const std::uint32_t low = edge & 0xffffU;
        const std::uint32_t high = rootOf(placeOf(low)) == root ? partner : root;
        return directionUp(low, [&](std::uint32_t place) { return rootOf(place) == high; }) << 16U | low;
    }

private:
    /// The last direction from a voxel of the brick to a neighbour in the brick, above it and accepted;
    /// SpaceDirection::kNowhere if there is none.
    template <class Accepts>
    [[nodiscard]] POLLARD_DEVICE std::uint32_t directionUp(std::uint32_t low, const Accepts& accepts) const {
        constexpr std::uint32_t kDirections = Neighbours::directions();
        const std::uint32_t own = key(low);
        for (std::uint32_t direction = SpaceDirection::kCount; direction-- > 0;) {
            const std::uint32_t halo = haloMoved(low, direction);
            if ((kDirections >> direction & 1U) != 0 && key(halo) > own && owns(halo) && accepts(placeOf(halo))) {
                return direction;
            }
        }
        return SpaceDirection::kNowhere;
    }
};

/// Brick of the engine: as many voxels as the engine's tile has pixels. At 16 bits it takes 61 KiB of shared memory,
/// and the oldest supported GPU has 64 KiB per block.
using EngineBrick = BrickShape<16, 16, 16, 512>;

} // namespace pollard::cuda

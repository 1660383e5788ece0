#pragma once

#include "cuda/boruvka/block_work.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Size of a tile, px, and number of threads: pixel i belongs to thread i % kThreads.
template <int kWidth_, int kHeight_, int kThreads_> struct TileShape {
    static constexpr std::uint32_t kWidth = kWidth_;
    static constexpr std::uint32_t kHeight = kHeight_;
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kPixels = kWidth * kHeight;
    static constexpr std::uint32_t kPitch = kWidth + 2; ///< row length of the tile with its halo of one pixel
    static constexpr std::uint32_t kHaloPixels = kPitch * (kHeight + 2);
    static constexpr std::uint32_t kBorder = 2 * (kWidth + kHeight); ///< pixels along the four sides
    static constexpr std::uint32_t kHaloBits = 13;
    static_assert(kPixels % kThreads == 0);
    static_assert(kHaloPixels <= 1U << kHaloBits, "16 bits of level, 13 of place, 3 of direction");
    using ForestEdge = std::uint16_t; ///< place and direction
};

/// One thread's view of its tile. Pixels have a *place* (row-major in the tile) and a *halo place* (row-major in the
/// tile with its halo), which the outer ends of leaving edges have too. Halo places rise with pixel numbers, so
/// keys have the same order in the tile as in the image.
template <class Level_, class Shape_, bool kEight_> struct TileWork : BlockWork<Level_, Shape_> {
    using Level = Level_;
    using Shape = Shape_;
    using Base = BlockWork<Level, Shape>;
    using Base::memory;
    static constexpr bool kEight = kEight_;
    static constexpr std::uint32_t kNoEdge = 0; ///< would lead east from a corner of the halo: no such edge

    /// Flags of a thread's pixels.
    enum Flag : std::uint32_t {
        kMaximum = 1,                 ///< within its tile
        kRoot = 2,                    ///< of a component
        kEdges = kEight ? 0x3c : 0xc, ///< mask; kEdge0 << n: the edge in ownDirection(n) may still join two components
        kEdge0 = 4,
    };
    static constexpr int kFirstEdgeBit = 2;
    PixelFlags<Base::kShare, kEight ? 6 : 4> flags;

    std::uint32_t left, top;     ///< of the tile in the image
    std::uint32_t width, height; ///< of the tile: less than the shape's at the edges of the image
    std::uint32_t imageWidth, imageHeight;

    /// Directions of the edges that belong to a pixel; the others belong to its neighbours.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t ownDirection(int n) noexcept {
        return n == 0 ? kEast : n == 1 ? kSouth : n == 2 ? kSouthEast : kSouthWest;
    }
    static constexpr int kOwnEdges = kEight ? 4 : 2;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int haloStep(std::uint32_t direction) noexcept {
        return stepDown(direction) * static_cast<int>(Shape::kPitch) + stepRight(direction);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr int step(std::uint32_t direction) noexcept {
        return stepDown(direction) * static_cast<int>(Shape::kWidth) + stepRight(direction);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t moved(std::uint32_t place, int by) noexcept {
        return place + static_cast<std::uint32_t>(by);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t haloOf(std::uint32_t place) noexcept {
        return (place / Shape::kWidth + 1) * Shape::kPitch + place % Shape::kWidth + 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t placeOf(std::uint32_t halo) noexcept {
        return (halo / Shape::kPitch - 1) * Shape::kWidth + halo % Shape::kPitch - 1;
    }

    /// Whether a place lies in the image, and whether a halo place is one of the tile's own.
    [[nodiscard]] POLLARD_HOST_DEVICE bool contains(std::uint32_t place) const noexcept {
        return place % Shape::kWidth < width && place / Shape::kWidth < height;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool owns(std::uint32_t halo) const noexcept {
        return halo % Shape::kPitch - 1 < width && halo / Shape::kPitch - 1 < height;
    }
    /// Whether the neighbour of a pixel of the tile lies in the image.
    [[nodiscard]] POLLARD_HOST_DEVICE bool isInImage(std::uint32_t x, std::uint32_t y,
                                                     std::uint32_t direction) const noexcept {
        return left + x + static_cast<std::uint32_t>(stepRight(direction)) < imageWidth &&
               top + y + static_cast<std::uint32_t>(stepDown(direction)) < imageHeight;
    }
    /// Number in the image of a pixel of the tile.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelOf(std::uint32_t place) const noexcept {
        return (top + place / Shape::kWidth) * imageWidth + left + place % Shape::kWidth;
    }

    /// A pixel's key within the tile: level, halo place.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t key(std::uint32_t halo) const noexcept {
        return static_cast<std::uint32_t>(memory.levels[halo]) << Shape::kHaloBits | halo;
    }
    /// An edge within or out of the tile: the key of its lower end, and the direction of the other.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t edge(std::uint32_t halo, std::uint32_t direction) const noexcept {
        const std::uint32_t own = key(halo);
        const std::uint32_t other = key(moved(halo, haloStep(direction)));
        return own < other ? own << 3U | direction : other << 3U | opposite(direction);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t lowerEnd(std::uint32_t edge) noexcept {
        return edge >> 3U & ((1U << Shape::kHaloBits) - 1);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t directionOf(std::uint32_t edge) noexcept {
        return edge & 7U;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t higherEnd(std::uint32_t edge) noexcept {
        return moved(lowerEnd(edge), haloStep(directionOf(edge)));
    }

    /// Whether an edge leads out of the tile.
    [[nodiscard]] POLLARD_HOST_DEVICE bool leaves(std::uint32_t edge) const noexcept {
        return !owns(lowerEnd(edge)) || !owns(higherEnd(edge));
    }
    /// Whether the edge connects at the height of the pixel with key @p pixel.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool reaches(std::uint32_t edge, std::uint32_t pixel) noexcept {
        return edge >> 3U >= pixel;
    }

    /// Proposes all edges within the tile to the components they connect, and removes edges within one component.
    /// @param rootOf the root of a place
    template <class RootOf> POLLARD_DEVICE void proposeInnerEdges(const RootOf& rootOf) {
        flags.forEach(kEdges, [&](int k, int bit) {
            const std::uint32_t place = this->placeOfShare(k);
            const std::uint32_t direction = ownDirection(bit - kFirstEdgeBit);
            if (!propose(place, direction, rootOf(place), rootOf(moved(place, step(direction))))) {
                flags.remove(k, 1U << bit);
            }
        });
    }
    /// Finds the component to hook @p root to by its edge @p edge within the tile: the component at the other end. If
    /// the edge is the highest of both components, the lower root remains a root and gets itself.
    template <class RootOf> [[nodiscard]] POLLARD_DEVICE std::uint32_t partnerOf(std::uint32_t root, std::uint32_t edge,
                                                                                 const RootOf& rootOf) const {
        const std::uint32_t one = rootOf(placeOf(lowerEnd(edge)));
        const std::uint32_t partner = one == root ? rootOf(placeOf(higherEnd(edge))) : one;
        return memory.best[partner] == edge && root < partner ? root : partner;
    }
    /// The edge by which a component is hooked to @p partner, as an edge of the forest.
    template <class RootOf> [[nodiscard]] POLLARD_DEVICE static std::uint16_t
    forestEdge(std::uint32_t edge, std::uint32_t, std::uint32_t, const RootOf&) {
        return static_cast<std::uint16_t>(edge);
    }

private:
    /// Proposes an edge to the components at both ends. Returns false if they are one component.
    POLLARD_DEVICE bool propose(std::uint32_t place, std::uint32_t direction, std::uint32_t rootHere,
                                std::uint32_t rootThere) {
        if (rootHere == rootThere) {
            return false;
        }
        const std::uint32_t candidate = edge(haloOf(place), direction);
        raiseTo(&memory.best[rootHere], candidate);
        raiseTo(&memory.best[rootThere], candidate);
        return true;
    }
};

/// Tile of the engine. Larger tiles leave fewer components to be joined in the image, but 64 x 64 px at 16 bits take 50
/// KiB of shared memory, and the oldest supported GPU has 64 KiB per block; eight pixels per thread let four blocks
/// share a multiprocessor of a recent GPU.
using EngineTile = TileShape<64, 64, 512>;

} // namespace pollard::cuda

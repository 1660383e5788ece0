#pragma once

#include "cuda/boruvka/direction.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Size of a tile, px, and number of threads: pixel i belongs to thread i % kThreads.
template <int kWidth_, int kHeight_, int kThreads_> struct TileShape {
    static constexpr std::uint32_t kWidth = kWidth_;
    static constexpr std::uint32_t kHeight = kHeight_;
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kPixels = kWidth * kHeight;
    static constexpr std::uint32_t kPitch = kWidth + 2; ///< row length of the tile with its halo of one pixel
    static constexpr std::uint32_t kPerimeter = 2 * (kWidth + kHeight);
    static constexpr std::uint32_t kHaloBits = 13;
    static_assert(kPixels % kThreads == 0);
    static_assert(kPitch * (kHeight + 2) <= 1U << kHaloBits, "16 bits of level, 13 of place, 3 of direction");
};

/// A few bits for each of a thread's pixels, in one or two registers.
template <int kCount, int kBits> class PixelFlags {
    static_assert(kCount * kBits <= 64);
    using Word = std::conditional_t<kCount * kBits <= 32, std::uint32_t, std::uint64_t>;

public:
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t get(int k) const noexcept {
        return static_cast<std::uint32_t>(word_ >> (k * kBits)) & ((1U << kBits) - 1);
    }
    POLLARD_HOST_DEVICE void add(int k, std::uint32_t bits) noexcept {
        word_ |= static_cast<Word>(bits) << (k * kBits);
    }
    POLLARD_HOST_DEVICE void remove(int k, std::uint32_t bits) noexcept {
        word_ &= static_cast<Word>(~(static_cast<Word>(bits) << (k * kBits)));
    }
    /// visit(k, bit) for all of @p bits that are set at the call. The number of iterations is that of the thread with
    /// the most set bits in the warp, not of pixels.
    template <class Visit> POLLARD_DEVICE void forEach(std::uint32_t bits, const Visit& visit) const {
        for (Word left = word_ & (kEvery * bits); left != 0; left &= left - 1) {
            const auto at = static_cast<unsigned>(lowestBit(left));
            visit(static_cast<int>(at / kBits), static_cast<int>(at % kBits));
        }
    }

private:
    [[nodiscard]] static constexpr Word every() noexcept {
        Word all = 0;
        for (int k = 0; k < kCount; ++k) {
            all |= Word{1} << (k * kBits);
        }
        return all;
    }
    static constexpr Word kEvery = every();

    Word word_ = 0;
};

/// Shared memory of a block.
template <class Level, class Shape> struct TileMemory {
    std::uint32_t best[Shape::kPixels];  ///< per root: the highest edge that leaves its component, see TileWork::edge()
    std::uint16_t basin[Shape::kPixels]; ///< the maximum of a pixel; at the end, of maxima: their branch's number
    std::uint16_t label[Shape::kPixels]; ///< root of the component of a maximum; at the end, of every pixel
    std::uint16_t into[Shape::kPixels];  ///< per maximum: the root its component was hooked to; itself before
    std::uint16_t frozen[Shape::kPerimeter]; ///< roots of the frozen components, by number
    std::uint16_t kept[Shape::kPerimeter];   ///< edges of their forest, without level
    std::uint32_t frozenCount, closedCount, keptCount;
    std::uint32_t firstFrozen, firstClosed, firstEdge;  ///< first numbers in the image
    Level levels[Shape::kPitch * (Shape::kHeight + 2)]; ///< with the halo
};

/// One thread's view of its tile. Pixels have a *place* (row-major in the tile) and a *halo place* (row-major in the
/// tile with its halo), which the outer ends of leaving edges have too. Halo places rise with pixel numbers, so the
/// order of keys in the tile is that of the image.
template <class Level_, class Shape_, bool kEight_> struct TileWork {
    using Level = Level_;
    using Shape = Shape_;
    static constexpr bool kEight = kEight_;
    static constexpr int kShare = static_cast<int>(Shape::kPixels / Shape::kThreads);
    static constexpr std::uint32_t kNoEdge = 0; ///< would lead east from a corner of the halo: no such edge

    /// Flags of a thread's pixels.
    enum Flag : std::uint32_t {
        kMaximum = 1,                 ///< within its tile
        kRoot = 2,                    ///< of a component
        kEdges = kEight ? 0x3c : 0xc, ///< mask; kEdge0 << n: the edge in ownDirection(n) may still join two components
        kEdge0 = 4,
    };
    static constexpr int kFirstEdgeBit = 2;
    PixelFlags<kShare, kEight ? 6 : 4> flags;

    TileMemory<Level, Shape>& memory;
    std::uint32_t thread;
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
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t higherEnd(std::uint32_t edge) noexcept {
        return moved(lowerEnd(edge), haloStep(edge & 7U));
    }

    /// Place of the thread's k-th pixel.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t placeOfShare(int k) const noexcept {
        return thread + static_cast<std::uint32_t>(k) * Shape::kThreads;
    }
    /// visit(k, place) for the thread's pixels, the k-th of which has flags.get(k).
    template <class Visit> POLLARD_DEVICE void forEachPixel(const Visit& visit) {
#ifdef __CUDACC__
#pragma unroll 2 // enough to overlap loads; more takes registers away from other blocks
#endif
        for (int k = 0; k < kShare; ++k) {
            visit(k, placeOfShare(k));
        }
    }
    /// visit(i) for the thread's share of 0 ... count - 1.
    template <class Visit> POLLARD_DEVICE void forShare(std::uint32_t count, const Visit& visit) const {
        for (std::uint32_t i = thread; i < count; i += Shape::kThreads) {
            visit(i);
        }
    }

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

    /// Follows links for a few steps towards an element linked to itself; sets @p open if that is not reached. Links
    /// must not change meanwhile; storing each result and repeating takes few rounds (pointer jumping).
    [[nodiscard]] POLLARD_DEVICE static std::uint16_t follow(const std::uint16_t* links, std::uint16_t from,
                                                             bool& open) {
        constexpr int kSteps = 4;
        std::uint16_t at = from;
        for (int step = 0; step < kSteps; ++step) {
            const std::uint16_t next = links[at];
            if (next == at) {
                return at;
            }
            at = next;
        }
        open = true;
        return at;
    }
};

} // namespace pollard::cuda

#pragma once

#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

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
    /// Calls visit(k, bit) for each of @p bits that is set at the call. Takes as many iterations as the thread of the
    /// warp with the most set bits, not one per pixel.
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

/// PixelFlags in as many registers as needed: one PixelFlags for the first pixels, then others for the rest. Not an
/// array, because registers cannot be indexed.
template <int kCount, int kBits, bool kFits = kCount* kBits <= 64> class PixelFlagWords {
public:
    POLLARD_HOST_DEVICE void add(int k, std::uint32_t bits) noexcept { word_.add(k, bits); }
    POLLARD_HOST_DEVICE void remove(int k, std::uint32_t bits) noexcept { word_.remove(k, bits); }
    /// Calls visit(k, bit) for every set bit; it may remove bits.
    template <class Visit> POLLARD_DEVICE void forEach(const Visit& visit) const {
        word_.forEach((1U << kBits) - 1, visit);
    }

private:
    PixelFlags<kCount, kBits> word_;
};

template <int kCount, int kBits> class PixelFlagWords<kCount, kBits, false> {
    static constexpr int kFirst = 64 / kBits;

public:
    POLLARD_HOST_DEVICE void add(int k, std::uint32_t bits) noexcept {
        k < kFirst ? first_.add(k, bits) : others_.add(k - kFirst, bits);
    }
    POLLARD_HOST_DEVICE void remove(int k, std::uint32_t bits) noexcept {
        k < kFirst ? first_.remove(k, bits) : others_.remove(k - kFirst, bits);
    }
    template <class Visit> POLLARD_DEVICE void forEach(const Visit& visit) const {
        first_.forEach(visit);
        others_.forEach([&](int k, int bit) { visit(kFirst + k, bit); });
    }

private:
    PixelFlagWords<kFirst, kBits> first_;
    PixelFlagWords<kCount - kFirst, kBits> others_;
};

/// Shared memory of a block for its part of the image: a tile of an image or a brick of a volume.
template <class Level, class Shape> struct BlockMemory {
    std::uint32_t best[Shape::kPixels];   ///< per root: the highest edge that leaves its component, a word of the Work
    std::uint16_t basin[Shape::kPixels];  ///< the maximum of a pixel; at the end, of maxima: their branch's number
    std::uint16_t label[Shape::kPixels];  ///< root of the component of a maximum; at the end, of every pixel
    std::uint16_t into[Shape::kPixels];   ///< per maximum: the root its component was hooked to; itself before
    std::uint16_t frozen[Shape::kBorder]; ///< roots of the frozen components, by number
    typename Shape::ForestEdge kept[Shape::kBorder]; ///< edges of their forest, without level
    std::uint32_t frozenCount, closedCount, keptCount;
    std::uint32_t firstFrozen, firstClosed, firstEdge; ///< first numbers in the image
    Level levels[Shape::kHaloPixels];                  ///< with the halo
};

/// Common base of one thread's views of its block's part: the memory, and the thread's share of the pixels. Pixel i
/// belongs to thread i % kThreads.
template <class Level, class Shape> struct BlockWork {
    static constexpr int kShare = static_cast<int>(Shape::kPixels / Shape::kThreads);

    BlockMemory<Level, Shape>& memory;
    std::uint32_t thread;

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

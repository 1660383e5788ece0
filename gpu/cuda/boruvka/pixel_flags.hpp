#pragma once

#include "cuda/device/host_device.hpp"
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

/// As PixelFlags, in as many registers as are needed: those of the first pixels, then the others. Registers have no
/// index, hence no array.
template <int kCount, int kBits, bool kFits = kCount* kBits <= 64> class PixelFlagWords {
public:
    POLLARD_HOST_DEVICE void add(int k, std::uint32_t bits) noexcept { word_.add(k, bits); }
    POLLARD_HOST_DEVICE void remove(int k, std::uint32_t bits) noexcept { word_.remove(k, bits); }
    /// visit(k, bit) for all that are set; it may remove them.
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

} // namespace pollard::cuda

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pollard {

/// Sums of levels and of squared levels over the first pixels of groups of eight. Uses SSE2 with a fixed number of
/// instructions: a loop over the pixels mispredicts in most rows and takes twice as long.
template <class Pixel> class GroupSums {
public:
    static constexpr std::size_t kSize = 8;

    /// @param pixels of the image; nothing beyond them is read
    explicit GroupSums(std::span<const Pixel> pixels) noexcept
        : first_(pixels.data()),
          lastGroup_(static_cast<std::ptrdiff_t>(pixels.size()) - static_cast<std::ptrdiff_t>(kSize)) {}

    /// Adds the first @p count pixels of a group, 0 .. 7.
    void add(const Pixel* group, std::size_t count) noexcept {
#ifdef __SSE2__
        if (group - first_ <= lastGroup_) {
            addWide(group, count);
            return;
        }
#endif
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t level = group[i];
            levels_ += level;
            squares_ += level * level;
        }
    }
#ifdef __SSE2__
    [[nodiscard]] std::uint64_t levels() const noexcept { return levels_ + sumOf(wideLevels_); }
    [[nodiscard]] std::uint64_t squares() const noexcept { return squares_ + sumOf(wideSquares_); }
#else
    [[nodiscard]] std::uint64_t levels() const noexcept { return levels_; }
    [[nodiscard]] std::uint64_t squares() const noexcept { return squares_; }
#endif

private:
#ifdef __SSE2__
    void addWide(const Pixel* group, std::size_t count) noexcept {
        const __m128i zero = _mm_setzero_si128();
        __m128i pixels;
        if constexpr (sizeof(Pixel) == 1) {
            pixels = _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(group)), zero);
        } else {
            pixels = _mm_loadu_si128(reinterpret_cast<const __m128i*>(group));
        }
        pixels = _mm_and_si128(pixels, _mm_load_si128(reinterpret_cast<const __m128i*>(kMasks[count].data())));
        const __m128i low = _mm_unpacklo_epi16(pixels, zero);
        const __m128i high = _mm_unpackhi_epi16(pixels, zero);
        const __m128i odd = _mm_srli_epi64(low, 32);
        const __m128i oddHigh = _mm_srli_epi64(high, 32);
        const __m128i fours = _mm_add_epi32(low, high);
        wideLevels_ = _mm_add_epi64(
            wideLevels_, _mm_add_epi64(_mm_and_si128(fours, _mm_set1_epi64x(0xffffffff)), _mm_srli_epi64(fours, 32)));
        wideSquares_ = _mm_add_epi64(
            wideSquares_, _mm_add_epi64(_mm_add_epi64(_mm_mul_epu32(low, low), _mm_mul_epu32(high, high)),
                                        _mm_add_epi64(_mm_mul_epu32(odd, odd), _mm_mul_epu32(oddHigh, oddHigh))));
    }
    static std::uint64_t sumOf(__m128i two) noexcept {
        alignas(16) std::array<std::uint64_t, 2> parts;
        _mm_store_si128(reinterpret_cast<__m128i*>(parts.data()), two);
        return parts[0] + parts[1];
    }

    /// Mask of the first 0 .. 7 of eight.
    struct alignas(16) Row : std::array<std::uint16_t, kSize> {};
    static constexpr auto kMasks = [] {
        std::array<Row, kSize> masks{};
        for (std::size_t count = 0; count < kSize; ++count) {
            std::fill_n(masks[count].begin(), count, std::numeric_limits<std::uint16_t>::max());
        }
        return masks;
    }();

    __m128i wideLevels_ = _mm_setzero_si128();
    __m128i wideSquares_ = _mm_setzero_si128();
#endif
    const Pixel* first_;
    std::ptrdiff_t lastGroup_; ///< offset of the last complete group; negative if there is none
    std::uint64_t levels_ = 0;
    std::uint64_t squares_ = 0;
};

} // namespace pollard

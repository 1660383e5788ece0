#include "snake/row_sums.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"
#include "image/mask_runs.hpp"
#include "snake/contour/edge_rows.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pollard {

namespace {

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

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 31U;
constexpr std::size_t kRowsPerTask = 16;
constexpr std::int32_t kRowsAhead = 16; ///< prefetch distance

std::string sizeOf(const Image& image) {
    return std::to_string(image.width()) + " x " + std::to_string(image.height()) + " px";
}

std::size_t entriesOf(std::uint32_t width) noexcept { return std::size_t{width} / RowSums::kSpacing + 1; }

/// Copy of an image with 0 in the pixels of a mask.
std::shared_ptr<const Image> withoutPixels(const Image& image, const Mask& mask) {
    auto copy = std::make_shared<Image>(image.type(), image.width(), image.height());
    std::copy(image.data(), image.data() + image.bytes(), copy->data());
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        Pixel* const pixels = copy->pixels<Pixel>().data();
        for (std::uint32_t y = 0; y < image.height(); ++y) {
            Pixel* const row = pixels + std::size_t{y} * image.width();
            forEachRun(mask, y, true, [row](std::uint32_t first, std::uint32_t last) {
                std::fill(row + first, row + last, Pixel{0});
            });
        }
    });
    return copy;
}

} // namespace

RowSums::RowSums(std::shared_ptr<const Image> image, const JobControl& control)
    : RowSums(std::move(image), nullptr, control) {}

RowSums::RowSums(std::shared_ptr<const Image> image, const Mask* valid, const JobControl& control)
    : image_(std::move(image)), levels_(image_), entriesOfRow_(entriesOf(image_->width())) {
    requireSummable(*image_, valid);
    try {
        entries_ = Buffer<Entry>(entriesOfRow_ * image_->height());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "region snake: no memory for the sums of " + sizeOf(*image_));
    }
    if (valid != nullptr) {
        if (valid->count() != image_->pixelCount()) {
            gaps_.emplace(complementOf(*valid));
            levels_ = withoutPixels(*image_, gaps_->mask());
        }
    }
    dispatch(image_->type(), [&]<class Pixel>(Pixel) { sumRows<Pixel>(control); });
    if (gaps_) {
        total_.pixels -= static_cast<std::int64_t>(gaps_->mask().count());
    }
}

void RowSums::requireSummable(const Image& image, const Mask* valid) {
    if (image.pixelCount() >= kMostPixels) {
        throw Error(ErrorCode::limitExceeded, "region snake: an image of " + sizeOf(image) + " has too many pixels");
    }
    if (valid != nullptr && !fits(*valid, image)) {
        throw Error(ErrorCode::invalidArgument, "region snake: the mask of valid pixels is not of " + sizeOf(image));
    }
}

std::uint64_t RowSums::estimateBytes(std::uint32_t width, std::uint32_t height) noexcept {
    return entriesOf(width) * sizeof(Entry) * height;
}

template <class Pixel> void RowSums::sumRows(const JobControl& control) {
    const Pixel* const pixels = levels_->pixels<Pixel>().data();
    const std::size_t width = image_->width();
    total_ = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, image_->height(), kRowsPerTask), RegionSums{},
        [&](const auto& rows, RegionSums sum) {
            control.throwIfStopped();
            for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
                const Pixel* const row = pixels + y * width;
                Entry* const entries = entries_.data() + y * entriesOfRow_;
                Entry all{0, 0};
                for (std::size_t x = 0; x < width; ++x) {
                    if (x % kSpacing == 0) {
                        entries[x / kSpacing] = all;
                    }
                    const std::uint64_t level = row[x];
                    all.levels += level;
                    all.squares += level * level;
                }
                if (width % kSpacing == 0) {
                    entries[width / kSpacing] = all;
                }
                sum += {static_cast<std::int64_t>(width), static_cast<std::int64_t>(all.levels),
                        static_cast<std::int64_t>(all.squares)};
            }
            return sum;
        },
        [](const RegionSums& a, const RegionSums& b) { return a + b; });
}

RegionSums RowSums::leftOf(ContourNode from, ContourNode to) const noexcept {
    if (from.y == to.y) {
        return {};
    }
    const bool down = from.y < to.y;
    RegionSums sums = dispatch(image_->type(), [&]<class Pixel>(Pixel) {
        return down ? leftOfEdge<Pixel>(from, to) : leftOfEdge<Pixel>(to, from);
    });
    sums = down ? sums : RegionSums{} - sums;
    if (gaps_) {
        sums.pixels -= gaps_->leftOf(from, to);
    }
    return sums;
}

template <class Pixel> RegionSums RowSums::leftOfEdge(ContourNode upper, ContourNode lower) const noexcept {
    const std::size_t width = image_->width();
    const Pixel* row = levels_->pixels<Pixel>().data() + static_cast<std::size_t>(upper.y) * width;
    const Entry* entries = entries_.data() + static_cast<std::size_t>(upper.y) * entriesOfRow_;
    EdgeRows rows(upper, lower);
    std::uint64_t counts = 0;
    std::uint64_t levels = 0;
    std::uint64_t squares = 0;
    GroupSums<Pixel> groups(levels_->pixels<Pixel>());
    for (std::int32_t y = upper.y; y < lower.y; ++y) {
        const auto count = static_cast<std::size_t>(rows.count());
        const Entry& entry = entries[count / kSpacing];
        const std::size_t rest = count % kSpacing;
        levels += entry.levels;
        squares += entry.squares;
        counts += count;
        if (y + kRowsAhead < lower.y) { // approximate position on the edge; rows are far apart in memory
            __builtin_prefetch(entries + kRowsAhead * entriesOfRow_ + count / kSpacing);
            __builtin_prefetch(row + kRowsAhead * width + (count - rest));
        }
        groups.add(row + (count - rest), rest);
        rows.goDown();
        row += width;
        entries += entriesOfRow_;
    }
    levels += groups.levels();
    squares += groups.squares();
    return {static_cast<std::int64_t>(counts), static_cast<std::int64_t>(levels), static_cast<std::int64_t>(squares)};
}

RegionSums RowSums::inside(const Contour& contour) const noexcept {
    RegionSums sums;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        sums += leftOf(contour[i], contour[i + 1 < contour.size() ? i + 1 : 0]);
    }
    return sums;
}

} // namespace pollard

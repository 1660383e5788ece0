#include "snake/row_sums.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour_rows.hpp"

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

    /// Masks of the first 0 .. 7 of eight pixels.
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

std::string sizeText(std::uint32_t width, std::uint32_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " px";
}

void requireFewPixels(std::uint32_t width, std::uint32_t height) {
    if (std::uint64_t{width} * height >= kMostPixels) {
        throw Error(ErrorCode::limitExceeded,
                    "region snake: an image of " + sizeText(width, height) + " has too many pixels");
    }
}

std::size_t entriesOf(std::uint32_t width) noexcept { return std::size_t{width} / RowSums::kSpacing + 1; }

/// Copy of a part of an image with 0 in the pixels of a mask.
std::shared_ptr<const Image> withoutPixels(const Image& image, const PixelRegion& part, const Mask& mask) {
    auto copy = std::make_shared<Image>(image.type(), part.width, part.height);
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        for (std::uint32_t y = 0; y < part.height; ++y) {
            Pixel* const row = copy->pixels<Pixel>().data() + std::size_t{y} * part.width;
            std::copy_n(image.pixels<Pixel>().data() + std::size_t{part.y + y} * image.width() + part.x, part.width,
                        row);
            forEachRun(mask, part.y + y, true, [&](std::uint32_t first, std::uint32_t last) {
                first = std::max(first, part.x);
                last = std::min(last, part.x + part.width);
                if (first < last) {
                    std::fill(row + (first - part.x), row + (last - part.x), Pixel{0});
                }
            });
        }
    });
    return copy;
}

/// Number of set pixels in a part.
std::int64_t countIn(const RowCounts& counts, const PixelRegion& part) {
    const auto left = static_cast<std::int32_t>(part.x);
    const auto top = static_cast<std::int32_t>(part.y);
    const std::int32_t right = left + static_cast<std::int32_t>(part.width);
    const std::int32_t bottom = top + static_cast<std::int32_t>(part.height);
    return counts.leftOf({right, top}, {right, bottom}) - counts.leftOf({left, top}, {left, bottom});
}

std::shared_ptr<const RowCounts> gapsIn(const Image& image, const Mask* valid) {
    RowSums::requireSummable(image, valid);
    return RowSums::gapsOf(valid);
}

} // namespace

RowSums::RowSums(const std::shared_ptr<const Image>& image, const JobControl& control)
    : RowSums(image, nullptr, control) {}

RowSums::RowSums(const std::shared_ptr<const Image>& image, const Mask* valid, const JobControl& control)
    : RowSums(image, gapsIn(*image, valid), {0, 0, image->width(), image->height()}, control) {}

RowSums::RowSums(std::shared_ptr<const Image> image, std::shared_ptr<const RowCounts> gaps, const PixelRegion& part,
                 const JobControl& control)
    : image_(std::move(image)), part_(part), gaps_(std::move(gaps)), entriesOfRow_(entriesOf(part.width)) {
    requireFewPixels(part.width, part.height);
    try {
        entries_ = Buffer<Entry>(entriesOfRow_ * part.height);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "region snake: no memory for the sums of " + sizeText(part.width, part.height));
    }
    const std::int64_t missing = gaps_ ? countIn(*gaps_, part) : 0;
    if (missing != 0) {
        levels_ = withoutPixels(*image_, part, gaps_->mask());
    } else {
        gaps_ = nullptr;
        levels_ = image_;
        firstPixel_ = std::size_t{part.y} * image_->width() + part.x;
    }
    dispatch(image_->type(), [&]<class Pixel>(Pixel) { sumRows<Pixel>(control); });
    total_.pixels -= missing;
}

std::shared_ptr<const RowCounts> RowSums::gapsOf(const Mask* valid) {
    const bool hasGaps = valid != nullptr && valid->count() != std::uint64_t{valid->width()} * valid->height();
    return hasGaps ? std::make_shared<const RowCounts>(complementOf(*valid)) : nullptr;
}

void RowSums::requireSummable(const Image& image, const Mask* valid) {
    requireFewPixels(image.width(), image.height());
    if (valid != nullptr && !fits(*valid, image)) {
        throw Error(ErrorCode::invalidArgument,
                    "region snake: the mask of valid pixels is not of " + sizeText(image.width(), image.height()));
    }
}

template <class Pixel> void RowSums::sumRows(const JobControl& control) {
    const Pixel* const pixels = levels_->pixels<Pixel>().data() + firstPixel_;
    const std::size_t stride = levels_->width();
    const std::size_t width = part_.width;
    total_ = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, part_.height, kRowsPerTask), RegionSums{},
        [&](const auto& rows, RegionSums sum) {
            control.throwIfStopped();
            for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
                const Pixel* const row = pixels + y * stride;
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
    const ContourNode corner{static_cast<std::int32_t>(part_.x), static_cast<std::int32_t>(part_.y)};
    upper = {upper.x - corner.x, upper.y - corner.y};
    lower = {lower.x - corner.x, lower.y - corner.y};
    const std::size_t width = levels_->width();
    const Pixel* row = levels_->pixels<Pixel>().data() + firstPixel_ + static_cast<std::size_t>(upper.y) * width;
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

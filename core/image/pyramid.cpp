#include "image/pyramid.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <utility>

namespace pollard {
namespace {

constexpr std::uint32_t half(std::uint32_t side) noexcept { return side / 2 + side % 2; }

/// Allocates the levels above 0; their pixels are uninitialised.
std::vector<Image> allocateLevels(PixelType type, std::uint32_t width, std::uint32_t height, std::size_t count) {
    std::vector<Image> levels;
    levels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        width = half(width);
        height = half(height);
        levels.emplace_back(type, width, height);
    }
    return levels;
}

} // namespace

Coverage::Coverage(std::shared_ptr<const Mask> mask, std::size_t levels, const JobControl& control)
    : mask_(std::move(mask)), levels_(allocateLevels(PixelType::u8, mask_->width(), mask_->height(), levels - 1)) {
    if (!levels_.empty()) {
        halveMask(*mask_, levels_.front(), control);
    }
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        halve(levels_[i - 1], levels_[i], control);
    }
}

std::uint8_t Coverage::at(std::size_t level, std::uint32_t x, std::uint32_t y) const {
    if (level == 0) {
        return mask_->test(x, y) ? 255 : 0;
    }
    const Image& image = levels_.at(level - 1);
    return image.pixels<std::uint8_t>()[std::size_t{y} * image.width() + x];
}

std::size_t Pyramid::levelsOf(std::uint32_t width, std::uint32_t height) noexcept {
    std::size_t levels = 1;
    for (std::uint32_t side = std::max(width, height); side > kCoarsestSide; side = half(side)) {
        ++levels;
    }
    return levels;
}

struct PyramidPool::Shelf {
    std::mutex mutex;
    std::vector<std::vector<Image>> spare; ///< oldest first
    std::uint64_t allocations = 0;

    std::vector<Image> take(const Image& image, std::size_t count) {
        const std::scoped_lock lock(mutex);
        const auto found = std::find_if(spare.begin(), spare.end(), [&](const std::vector<Image>& levels) {
            return levels.size() == count && levels.front().type() == image.type() &&
                   levels.front().width() == half(image.width()) && levels.front().height() == half(image.height());
        });
        if (found == spare.end()) {
            // Different shape: another image is open, so the spare levels are useless.
            spare.clear();
            ++allocations;
            return {};
        }
        std::vector<Image> levels = std::move(*found);
        spare.erase(found);
        return levels;
    }

    void giveBack(std::vector<Image> levels) {
        const std::scoped_lock lock(mutex);
        spare.push_back(std::move(levels));
        if (spare.size() > kSpare) {
            spare.erase(spare.begin());
        }
    }
};

PyramidPool::PyramidPool() : shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<const Pyramid> PyramidPool::make(std::shared_ptr<const Image> image,
                                                 std::shared_ptr<const Coverage> coverage, const JobControl& control) {
    auto made = std::make_unique<Pyramid>(std::move(image));
    made->coverage_ = std::move(coverage);
    const Image& base = *made->image_;
    const std::size_t count = Pyramid::levelsOf(base.width(), base.height()) - 1;
    if (count == 0) {
        return made;
    }
    made->smaller_ = shelf_->take(base, count);
    if (made->smaller_.empty()) {
        made->smaller_ = allocateLevels(base.type(), base.width(), base.height(), count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (made->coverage_) {
            halveWeighted(made->level(i), *made->coverage_, i, made->smaller_[i], control);
        } else {
            halve(made->level(i), made->smaller_[i], control);
        }
    }
    const auto giveBack = [shelf = std::weak_ptr(shelf_)](Pyramid* returned) {
        const std::unique_ptr<Pyramid> owned(returned);
        if (const auto alive = shelf.lock()) {
            alive->giveBack(std::move(owned->smaller_));
        }
    };
    return {made.release(), giveBack};
}

std::uint64_t PyramidPool::allocations() const {
    const std::scoped_lock lock(shelf_->mutex);
    return shelf_->allocations;
}

namespace {

/// Rows of 8 or 16 bits.
template <class T>
void halveNarrowRow(const T* __restrict upper, const T* __restrict lower, std::uint32_t width, T* __restrict out) {
    // Loads two neighbours as one word of twice the size and splits it: compilers vectorise this for any processor,
    // unlike loads of every second pixel. The order of the neighbours does not matter.
    using Pair = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;
    constexpr int kBits = sizeof(T) * 8;
    constexpr Pair kLow = static_cast<Pair>((1U << kBits) - 1);
    const std::uint32_t pairs = width / 2;
    for (std::uint32_t x = 0; x < pairs; ++x) {
        Pair a;
        Pair b;
        std::memcpy(&a, upper + std::size_t{x} * 2, sizeof(Pair));
        std::memcpy(&b, lower + std::size_t{x} * 2, sizeof(Pair));
        const auto sum = static_cast<Pair>((a & kLow) + (a >> kBits) + (b & kLow) + (b >> kBits) + 2);
        out[x] = static_cast<T>(sum >> 2);
    }
    if (width % 2 != 0) {
        const std::uint32_t last = width - 1;
        out[pairs] = static_cast<T>((std::uint32_t{upper[last]} + lower[last] + 1) / 2);
    }
}

/// Rows of 32 or 64 bits, whose sums may need more.
template <class T>
void halveWideRow(const T* __restrict upper, const T* __restrict lower, std::uint32_t width, T* __restrict out) {
    for (std::uint32_t x = 0; x < width; x += 2) {
        const std::uint32_t next = std::min(x + 1, width - 1);
        const T a = upper[x];
        const T b = upper[next];
        const T c = lower[x];
        const T d = lower[next];
        out[x / 2] = (a >> 2) + (b >> 2) + (c >> 2) + (d >> 2) + (((a & 3) + (b & 3) + (c & 3) + (d & 3) + 2) >> 2);
    }
}

/// Source pixels per task; bounds the delay of a stop to about a millisecond.
constexpr std::size_t kGrain = std::size_t{1} << 19;

/// Calls `function(y)` for every row of the result, in parallel.
template <class Function> void forEachRow(const Image& to, const JobControl& control, Function&& function) {
    const std::size_t grain = std::max<std::size_t>(1, kGrain / (std::size_t{to.width()} * 4));
    forEachRange(
        to.height(), control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                function(y);
            }
        },
        grain);
}

template <class T> const T* rowOf(const Image& image, std::uint32_t y) {
    return image.pixels<T>().data() + std::size_t{y} * image.width();
}

/// Block of the source that one pixel of the result covers.
struct Block {
    std::uint32_t x0;
    std::uint32_t y0;
    std::uint32_t x1; ///< one past the last
    std::uint32_t y1;
};

Block blockOf(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height) {
    return {2 * x, 2 * y, std::min(2 * x + 2, width), std::min(2 * y + 2, height)};
}

/// Whether all pixels [x, x + width) of a row are fully covered. At level 0, @p x is the first pixel of a word of the
/// mask, and the word contains them all.
bool isFull(const Coverage& coverage, std::size_t level, std::uint32_t x, std::uint32_t y, std::uint32_t width) {
    if (level == 0) {
        const Mask::Word all = ~Mask::Word{0} >> (Mask::kBitsPerWord - width);
        return coverage.mask().row(y)[x / Mask::kBitsPerWord] == all;
    }
    const std::uint8_t* shares = rowOf<std::uint8_t>(coverage.level(level), y) + x;
    return std::all_of(shares, shares + width, [](std::uint8_t share) { return share == 255; });
}

template <class T>
T weightedMean(const Image& from, const Coverage& coverage, std::size_t level, std::uint32_t x, std::uint32_t y) {
    const Block block = blockOf(x, y, from.width(), from.height());
    std::uint32_t weights = 0;
    std::uint32_t weighted = 0;
    std::uint32_t plain = 0;
    std::uint32_t count = 0;
    for (std::uint32_t v = block.y0; v < block.y1; ++v) {
        const T* row = rowOf<T>(from, v);
        for (std::uint32_t u = block.x0; u < block.x1; ++u) {
            const std::uint32_t weight = coverage.at(level, u, v);
            weights += weight;
            weighted += weight * row[u];
            plain += row[u];
            ++count;
        }
    }
    const std::uint32_t sum = weights != 0 ? weighted : plain;
    const std::uint32_t by = weights != 0 ? weights : count;
    return static_cast<T>((2 * sum + by) / (2 * by));
}

} // namespace

template <class T> void halveRow(const T* upper, const T* lower, std::uint32_t width, T* out) noexcept {
    if constexpr (sizeof(T) <= 2) {
        halveNarrowRow(upper, lower, width, out);
    } else {
        halveWideRow(upper, lower, width, out);
    }
}
template void halveRow(const std::uint8_t*, const std::uint8_t*, std::uint32_t, std::uint8_t*) noexcept;
template void halveRow(const std::uint16_t*, const std::uint16_t*, std::uint32_t, std::uint16_t*) noexcept;
template void halveRow(const std::uint32_t*, const std::uint32_t*, std::uint32_t, std::uint32_t*) noexcept;
template void halveRow(const std::uint64_t*, const std::uint64_t*, std::uint32_t, std::uint64_t*) noexcept;

void halve(const Image& from, Image& to, const JobControl& control) {
    dispatch(from.type(), [&]<class T>(T) {
        T* out = to.pixels<T>().data();
        forEachRow(to, control, [&](std::uint32_t y) {
            const std::uint32_t second = std::min(2 * y + 1, from.height() - 1);
            halveRow(rowOf<T>(from, 2 * y), rowOf<T>(from, second), from.width(), out + std::size_t{y} * to.width());
        });
    });
}

void halveMask(const Mask& from, Image& to, const JobControl& control) {
    auto* out = to.pixels<std::uint8_t>().data();
    forEachRow(to, control, [&](std::uint32_t y) {
        for (std::uint32_t x = 0; x < to.width(); ++x) {
            const Block block = blockOf(x, y, from.width(), from.height());
            std::uint32_t in = 0;
            for (std::uint32_t v = block.y0; v < block.y1; ++v) {
                for (std::uint32_t u = block.x0; u < block.x1; ++u) {
                    in += from.test(u, v) ? 1 : 0;
                }
            }
            const std::uint32_t all = (block.x1 - block.x0) * (block.y1 - block.y0);
            out[std::size_t{y} * to.width() + x] = static_cast<std::uint8_t>((in * 255 * 2 + all) / (2 * all));
        }
    });
}

void halveWeighted(const Image& from, const Coverage& coverage, std::size_t level, Image& to,
                   const JobControl& control) {
    dispatch(from.type(), [&]<class T>(T) {
        T* out = to.pixels<T>().data();
        forEachRow(to, control, [&](std::uint32_t y) {
            const std::uint32_t second = std::min(2 * y + 1, from.height() - 1);
            const T* upper = rowOf<T>(from, 2 * y);
            const T* lower = rowOf<T>(from, second);
            T* row = out + std::size_t{y} * to.width();
            for (std::uint32_t x = 0; x < from.width(); x += Mask::kBitsPerWord) {
                const std::uint32_t width = std::min(Mask::kBitsPerWord, from.width() - x);
                if (isFull(coverage, level, x, 2 * y, width) && isFull(coverage, level, x, second, width)) {
                    halveRow(upper + x, lower + x, width, row + x / 2);
                } else {
                    for (std::uint32_t i = x / 2; i < x / 2 + (width + 1) / 2; ++i) {
                        row[i] = weightedMean<T>(from, coverage, level, i, y);
                    }
                }
            }
        });
    });
}

} // namespace pollard

#include "vm/image/level_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace pollard::vm {

std::uint16_t LevelHistogram::percentile(double fraction) const noexcept {
    // The rounding error of a fraction from a percentage must not add a pixel.
    constexpr double kRounding = 1e-3; // px
    const double wanted = std::max(1.0, std::clamp(fraction, 0.0, 1.0) * static_cast<double>(pixels) - kRounding);
    std::uint64_t below = 0;
    for (std::size_t level = 0; level < counts.size(); ++level) {
        below += counts[level];
        if (static_cast<double>(below) >= wanted) {
            return static_cast<std::uint16_t>(level);
        }
    }
    return maximum;
}

namespace {

/// Sets the smallest and the largest level; there is at least one pixel.
void findEnds(LevelHistogram& histogram) {
    const auto occurs = [](std::uint64_t count) { return count != 0; };
    const auto& counts = histogram.counts;
    const auto first = std::find_if(counts.begin(), counts.end(), occurs);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), occurs);
    histogram.minimum = static_cast<std::uint16_t>(first - counts.begin());
    histogram.maximum = static_cast<std::uint16_t>(counts.rend() - last - 1);
}

/// Counts the pixels [left, right) of a row inside the masks, one word of 64 at a time.
template <class T> void countRow(std::span<const T> row, std::uint32_t y, std::uint32_t left, std::uint32_t right,
                                 const CountedArea& area, LevelHistogram& histogram) {
    constexpr std::uint32_t kBits = Mask::kBitsPerWord;
    for (std::uint32_t x = left; x < right;) {
        const std::uint32_t begin = x;
        const std::uint32_t end = std::min(right, (x / kBits + 1) * kBits);
        Mask::Word wanted = ~Mask::Word{0};
        for (const Mask* mask : {area.region, area.valid}) {
            wanted &= mask == nullptr ? ~Mask::Word{0} : mask->row(y)[x / kBits];
        }
        if (wanted == ~Mask::Word{0}) {
            for (; x < end; ++x) {
                ++histogram.counts[row[x]];
            }
            histogram.pixels += end - begin;
            continue;
        }
        for (; x < end && wanted != 0; ++x) {
            if ((wanted >> (x % kBits) & 1U) != 0) {
                ++histogram.counts[row[x]];
                ++histogram.pixels;
            }
        }
        x = end;
    }
}

/// Level not exceeded by @p share of the pixels above 0, from a sample; @p levelAt returns the level of a pixel.
template <class LevelAt> std::uint16_t brightOf(const Image& image, double share, LevelAt levelAt) {
    constexpr std::size_t kSample = 1'000'000;
    const std::size_t step = image.pixelCount() / kSample + 1;
    LevelHistogram sample;
    sample.counts.resize(std::size_t{maxLevelOf(image.type())} + 1);
    for (std::size_t p = 0; p < image.pixelCount(); p += step) {
        const std::uint16_t level = levelAt(p);
        if (level != 0) {
            ++sample.counts[level];
            ++sample.pixels;
        }
    }
    return sample.pixels == 0 ? std::uint16_t{0} : sample.percentile(share);
}

} // namespace

LevelHistogram countLevels(const Image& image, const JobControl& control) {
    constexpr std::size_t kPixelsBetweenChecks = std::size_t{1} << 22; // some milliseconds
    LevelHistogram histogram;
    histogram.counts.assign(std::size_t{maxLevelOf(image.type())} + 1, 0);
    histogram.pixels = image.pixelCount();
    dispatch(image.type(), [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::size_t begin = 0; begin < pixels.size(); begin += kPixelsBetweenChecks) {
            control.throwIfStopped();
            for (const T level : pixels.subspan(begin, std::min(kPixelsBetweenChecks, pixels.size() - begin))) {
                ++histogram.counts[level];
            }
        }
    });
    findEnds(histogram);
    return histogram;
}

LevelHistogram countLevels(const Image& image, const CountedArea& area, const JobControl& control) {
    LevelHistogram histogram;
    histogram.counts.assign(std::size_t{maxLevelOf(image.type())} + 1, 0);
    const auto rows = static_cast<std::uint32_t>(image.extent().rows());
    const PixelRegion all{0, 0, image.width(), rows};
    const PixelRegion asked = area.rectangle.value_or(all);
    const std::uint32_t left = std::min(asked.x, image.width());
    const std::uint32_t top = std::min(asked.y, rows);
    const std::uint32_t right = left + std::min(asked.width, image.width() - left);
    const std::uint32_t bottom = top + std::min(asked.height, rows - top);
    dispatch(image.type(), [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::uint32_t y = top; y < bottom; ++y) {
            control.throwIfStopped();
            const auto row = pixels.subspan(std::size_t{y} * image.width(), image.width());
            countRow(row, y, left, right, area, histogram);
        }
    });
    if (histogram.pixels > 0) {
        findEnds(histogram);
    }
    return histogram;
}

Saturation saturationOf(const LevelHistogram& histogram, int bits) {
    Saturation saturation;
    if (histogram.counts.empty() || bits < 1) {
        return saturation;
    }
    const std::size_t last = histogram.counts.size() - 1;
    const std::size_t white = bits >= 16 ? last : std::min(last, (std::size_t{1} << bits) - 1);
    saturation.black = histogram.counts.front();
    saturation.white = histogram.counts[white];
    saturation.pixels = histogram.pixels;
    return saturation;
}

Saturation clippedBy(const LevelWindow& window, const LevelHistogram& histogram) {
    Saturation clipped;
    clipped.pixels = histogram.pixels;
    const auto& counts = histogram.counts;
    const auto levels = static_cast<double>(counts.size());
    const auto place = [&](double level) { return static_cast<std::ptrdiff_t>(std::clamp(level, 0.0, levels)); };
    const auto aboveBlack = counts.begin() + place(std::floor(window.low + kMarkRounding) + 1);
    const auto white = std::max(aboveBlack, counts.begin() + place(std::ceil(window.high - kMarkRounding)));
    clipped.black = std::accumulate(counts.begin(), aboveBlack, std::uint64_t{0});
    clipped.white = std::accumulate(white, counts.end(), std::uint64_t{0});
    return clipped;
}

LevelWindow autoWindow(const LevelHistogram& histogram, double lowFraction, double highFraction) {
    if (histogram.pixels == 0) {
        return {};
    }
    double low = histogram.percentile(lowFraction);
    double high = histogram.percentile(highFraction);
    if (!(low < high)) {
        low = histogram.minimum;
        high = histogram.maximum;
    }
    if (!(low < high)) {
        low = std::max(0.0, low - 1);
        high = std::min<double>(histogram.maxLevel(), high + 1);
    }
    return {low, high};
}

std::uint16_t brightLevel(const Image& image) {
    return brightOf(image, kAutoWindowHigh, [&](std::size_t p) { return image.level(p); });
}

std::uint16_t brightDifference(const Image& a, const Image& b) {
    return brightOf(a, kDifferenceShare, [&](std::size_t p) {
        const int difference = int{a.level(p)} - int{b.level(p)};
        return static_cast<std::uint16_t>(difference < 0 ? -difference : difference);
    });
}

EvenLevels evenLevelsOf(const std::optional<ValueMapping>& mapping, std::uint16_t last) {
    if (!mapping || mapping->isProportional()) {
        return nullptr;
    }
    const std::vector<double>& values = mapping->ranks->values;
    const double range = values.back() - values.front();
    auto levels = std::make_shared<std::vector<std::uint16_t>>(std::size_t{last} + 1, last);
    for (std::size_t i = 0; i < std::min(values.size(), levels->size()); ++i) {
        const double place = range > 0 ? (values[i] - values.front()) / range : 0;
        (*levels)[i] = static_cast<std::uint16_t>(std::lround(place * last));
    }
    return levels;
}

std::optional<ValueMapping> evenMappingOf(std::optional<ValueMapping> mapping, std::uint16_t last) {
    if (!mapping || mapping->isProportional()) {
        return mapping;
    }
    const std::vector<double>& values = mapping->ranks->values;
    const double range = values.back() - values.front();
    mapping->offset = values.front();
    mapping->step = range > 0 && last > 0 ? range / last : 1;
    mapping->ranks = nullptr;
    mapping->exact = false;
    return mapping;
}

std::shared_ptr<const Image> inEvenLevels(std::shared_ptr<const Image> image,
                                          const std::optional<ValueMapping>& mapping) {
    const EvenLevels levels = image ? evenLevelsOf(mapping, maxLevelOf(image->type())) : nullptr;
    if (!levels) {
        return image;
    }
    auto even = std::make_shared<Image>(image->type(), image->extent());
    even->setSides(image->sides());
    dispatch(image->type(), [&]<class Pixel>(Pixel) {
        std::ranges::transform(image->pixels<Pixel>(), even->pixels<Pixel>().begin(),
                               [&](Pixel level) { return static_cast<Pixel>((*levels)[level]); });
    });
    return even;
}

LevelHistogram inEvenLevels(LevelHistogram histogram, const std::optional<ValueMapping>& mapping) {
    const EvenLevels levels = evenLevelsOf(mapping, histogram.maxLevel());
    if (!levels || histogram.counts.empty()) {
        return histogram;
    }
    std::vector<std::uint64_t> counts(histogram.counts.size(), 0);
    for (std::size_t level = 0; level < counts.size(); ++level) {
        counts[(*levels)[level]] += histogram.counts[level];
    }
    histogram.counts = std::move(counts);
    histogram.minimum = (*levels)[histogram.minimum];
    histogram.maximum = (*levels)[histogram.maximum];
    return histogram;
}

} // namespace pollard::vm

#include "level_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::vm {

std::uint16_t LevelHistogram::percentile(double fraction) const noexcept {
    const double wanted = std::max(1.0, std::clamp(fraction, 0.0, 1.0) * static_cast<double>(pixels));
    std::uint64_t below = 0;
    for (std::size_t level = 0; level < counts.size(); ++level) {
        below += counts[level];
        if (static_cast<double>(below) >= wanted) {
            return static_cast<std::uint16_t>(level);
        }
    }
    return maximum;
}

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
    const auto occurs = [](std::uint64_t count) { return count != 0; };
    const auto& counts = histogram.counts;
    const auto first = std::find_if(counts.begin(), counts.end(), occurs);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), occurs);
    histogram.minimum = static_cast<std::uint16_t>(first - counts.begin());
    histogram.maximum = static_cast<std::uint16_t>(counts.rend() - last - 1);
    return histogram;
}

LevelWindow autoWindow(const LevelHistogram& histogram) {
    if (histogram.pixels == 0) {
        return {};
    }
    double low = histogram.percentile(kAutoWindowLow);
    double high = histogram.percentile(kAutoWindowHigh);
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
    constexpr std::size_t kSample = 1'000'000;
    const std::size_t step = image.pixelCount() / kSample + 1;
    LevelHistogram sample;
    sample.counts.resize(std::size_t{maxLevelOf(image.type())} + 1);
    for (std::size_t p = 0; p < image.pixelCount(); p += step) {
        const std::uint16_t level = image.level(p);
        if (level != 0) {
            ++sample.counts[level];
            ++sample.pixels;
        }
    }
    return sample.pixels == 0 ? std::uint16_t{0} : sample.percentile(kAutoWindowHigh);
}

} // namespace pollard::vm

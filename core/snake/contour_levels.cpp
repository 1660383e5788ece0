#include "snake/contour_levels.hpp"

#include "image/image.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace pollard {

std::vector<std::uint64_t> levelsInside(const Image& image, const Contour& contour, const Mask* valid,
                                        const JobControl& control) {
    std::vector<std::uint64_t> counts(std::size_t{maxLevelOf(image.type())} + 1, 0);
    const ContourRows inside(contour);
    dispatch(image.type(), [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::int32_t y = inside.top(); y < inside.bottom(); ++y) {
            control.throwIfStopped();
            const auto row = static_cast<std::uint32_t>(y);
            const std::size_t start = std::size_t{row} * image.width();
            inside.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
                for (std::uint32_t x = first; x < last; ++x) {
                    if (valid == nullptr || valid->test(x, row)) {
                        ++counts[pixels[start + x]];
                    }
                }
            });
        }
    });
    return counts;
}

namespace {

constexpr double kLeast = 1.0 / 12;

} // namespace

FittedLaw::FittedLaw(RegionLaw law, const RegionSums& sums) noexcept
    : law_(law), mean_(law == RegionLaw::gaussian ? meanOf(sums) : std::max(kLeast, meanOf(sums))),
      variance_(std::max(kLeast, varianceOf(sums))),
      meanSquare_(std::max(kLeast, static_cast<double>(sums.squares) / static_cast<double>(sums.pixels))) {}

double FittedLaw::density(double level) const noexcept {
    if (law_ == RegionLaw::gaussian) {
        const double away = level - mean_;
        return std::exp(-away * away / (2 * variance_)) / std::sqrt(2 * std::numbers::pi * variance_);
    }
    if (level < 0) {
        return 0;
    }
    switch (law_) {
    case RegionLaw::poisson:
        return std::exp(level * std::log(mean_) - mean_ - std::lgamma(level + 1));
    case RegionLaw::gamma: {
        const double order = mean_ * mean_ / variance_;
        const double x = std::max(level, 1e-9); // an order below 1 has a pole at 0
        return std::exp(order * std::log(order / mean_) + (order - 1) * std::log(x) - order * x / mean_ -
                        std::lgamma(order));
    }
    case RegionLaw::rayleigh:
        return 2 * level / meanSquare_ * std::exp(-level * level / meanSquare_);
    case RegionLaw::gaussian:
        break;
    }
    return 0;
}

namespace {

/// Three neighbouring pixels of a row.
struct Triple {
    double mean = 0;
    double difference = 0; ///< absolute second difference
};

/// The noise at a level.
struct NoiseAt {
    double level = 0;
    double variance = 0;
    double error = 0; ///< variance of the estimate of ln variance
};

constexpr std::size_t kMostTriples = 1U << 20U;

void addTriples(std::vector<Triple>& triples, const Image& image, const Mask* valid, const PixelRegion& part) {
    const std::size_t all = std::size_t{part.width} * part.height;
    const auto rowStep = static_cast<std::uint32_t>(all / kMostTriples + 1);
    for (std::uint32_t y = part.y; y < part.y + part.height; y += rowStep) {
        for (std::uint32_t x = part.x; x + 2 < part.x + part.width; ++x) {
            if (valid != nullptr && !(valid->test(x, y) && valid->test(x + 1, y) && valid->test(x + 2, y))) {
                continue;
            }
            const std::size_t at = std::size_t{y} * image.width() + x;
            const double a = image.level(at);
            const double b = image.level(at + 1);
            const double c = image.level(at + 2);
            triples.push_back({(a + b + c) / 3, std::abs(a - 2 * b + c)});
        }
    }
}

std::vector<NoiseAt> noiseOf(std::vector<Triple>& triples) {
    constexpr std::size_t kBins = 8;
    constexpr std::size_t kFewest = 30;
    constexpr double kMedianOfNormal = 0.6745; // of absolute values, in standard deviations
    constexpr double kErrorOfMedian = 5.4;     // 37 % efficiency
    std::vector<NoiseAt> noise;
    if (triples.size() < kFewest) {
        return noise;
    }
    std::ranges::sort(triples, {}, &Triple::mean);
    const double low = triples[triples.size() / 100].mean;
    const double high = triples[triples.size() - 1 - triples.size() / 100].mean;
    auto first = std::ranges::lower_bound(triples, low, {}, &Triple::mean);
    for (std::size_t bin = 1; bin <= kBins; ++bin) {
        const double end = low + (high - low) * static_cast<double>(bin) / kBins;
        const auto last = bin == kBins ? triples.end() : std::ranges::lower_bound(triples, end, {}, &Triple::mean);
        const auto count = static_cast<std::size_t>(last - first);
        if (count >= std::max(kFewest, triples.size() / 50)) {
            double sum = 0;
            for (auto each = first; each != last; ++each) {
                sum += each->mean;
            }
            const auto middle = first + static_cast<std::ptrdiff_t>(count / 2);
            std::nth_element(first, middle, last,
                             [](const Triple& a, const Triple& b) { return a.difference < b.difference; });
            const double deviation = middle->difference / kMedianOfNormal;
            noise.push_back({sum / static_cast<double>(count), deviation * deviation / 6,
                             kErrorOfMedian / static_cast<double>(count)});
        }
        first = last;
    }
    std::erase_if(noise, [](const NoiseAt& each) { return each.level <= 0 || each.variance <= 0; });
    return noise;
}

/// Fit of variance = factor * level^power.
struct NoiseFit {
    double factor = 1;
    double square = 0; ///< mean square of the logarithms' differences
    double error = 0;  ///< part of `square` that the errors of the estimates explain

    NoiseFit(const std::vector<NoiseAt>& noise, int power) {
        const auto count = static_cast<double>(noise.size());
        double sum = 0;
        double squares = 0;
        for (const NoiseAt& each : noise) {
            const double ratio = std::log(each.variance) - power * std::log(each.level);
            sum += ratio;
            squares += ratio * ratio;
            error += each.error / count;
        }
        factor = std::exp(sum / count);
        square = std::max(squares / count - sum / count * (sum / count), 0.0);
    }
};

} // namespace

RegionLaw chosenLaw(const Image& image, const Mask* valid, const std::vector<Contour>& starts,
                    const std::optional<std::uint32_t>& apart) {
    std::vector<Triple> triples;
    for (const Contour& start : starts) {
        const PixelRegion own = partAround(start, 0, image.width(), image.height());
        addTriples(triples, image, valid,
                   partAround(start, apart.value_or(std::max(own.width, own.height)), image.width(), image.height()));
        if (triples.size() >= kMostTriples) {
            break;
        }
    }
    const std::vector<NoiseAt> noise = noiseOf(triples);
    if (noise.size() < 2) {
        return RegionLaw::gaussian;
    }
    const NoiseFit constant(noise, 0);
    const NoiseFit counts(noise, 1);
    const NoiseFit speckle(noise, 2);
    if (2 * std::min(counts.square, speckle.square) > constant.square || constant.square < 2 * constant.error) {
        return RegionLaw::gaussian;
    }
    if (counts.square <= speckle.square) {
        return RegionLaw::poisson;
    }
    constexpr double kRayleigh = (4 - std::numbers::pi) / std::numbers::pi;
    return std::abs(speckle.factor / kRayleigh - 1) <= 0.25 ? RegionLaw::rayleigh : RegionLaw::gamma;
}

} // namespace pollard

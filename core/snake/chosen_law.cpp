#include "snake/chosen_law.hpp"

#include "image/pixel_region.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace pollard {

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
    double error = 0;  ///< its part that the estimates explain

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

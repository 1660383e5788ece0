#include "analysis/zscale.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard {

namespace {

constexpr std::size_t kSamples = 1000;
constexpr double kContrast = 0.25;
constexpr double kReject = 2.5;       ///< standard deviations
constexpr double kMostRejected = 0.5; ///< share of the samples
constexpr std::size_t kLeastGood = 5;
constexpr int kIterations = 5;
constexpr double kGrowth = 0.01; ///< share of the samples that is rejected around a rejected one

struct Line {
    double start = 0;
    double slope = 0;

    [[nodiscard]] double at(std::size_t i) const noexcept { return start + slope * static_cast<double>(i); }
};

/// The line with the least squares through the samples that are not rejected.
Line fitted(const std::vector<double>& values, const std::vector<bool>& rejected) {
    double count = 0;
    double meanX = 0;
    double meanY = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!rejected[i]) {
            ++count;
            meanX += static_cast<double>(i);
            meanY += values[i];
        }
    }
    meanX /= count;
    meanY /= count;
    double both = 0;
    double square = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!rejected[i]) {
            const double x = static_cast<double>(i) - meanX;
            both += x * (values[i] - meanY);
            square += x * x;
        }
    }
    const double slope = square > 0 ? both / square : 0;
    return {meanY - slope * meanX, slope};
}

/// Standard deviation from the line of the samples that are not rejected.
double spreadAround(const Line& line, const std::vector<double>& values, const std::vector<bool>& rejected) {
    double count = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        count += rejected[i] ? 0 : 1;
        sum += rejected[i] ? 0 : values[i] - line.at(i);
    }
    const double mean = sum / count;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = values[i] - line.at(i) - mean;
        squares += rejected[i] ? 0 : off * off;
    }
    return std::sqrt(squares / count);
}

/// Rejects the neighbours of rejected samples: @p width places, one more before than behind for an even width.
std::vector<bool> grown(const std::vector<bool>& rejected, std::size_t width) {
    std::vector<bool> result(rejected.size());
    const std::size_t before = width / 2;
    const std::size_t behind = (width - 1) / 2;
    for (std::size_t i = 0; i < rejected.size(); ++i) {
        const std::size_t first = i - std::min(i, before);
        const std::size_t end = std::min(i + behind + 1, rejected.size());
        result[i] = std::any_of(rejected.begin() + static_cast<std::ptrdiff_t>(first),
                                rejected.begin() + static_cast<std::ptrdiff_t>(end), [](bool is) { return is; });
    }
    return result;
}

} // namespace

std::vector<std::uint16_t> zscaleSamples(const Image& image, const Mask* valid) {
    const std::uint64_t pixels = image.pixelCount();
    const std::uint64_t stride = std::max<std::uint64_t>(pixels / kSamples, 1);
    std::vector<std::uint16_t> samples;
    for (std::uint64_t i = 0, taken = 0; i < pixels && taken < kSamples; i += stride, ++taken) {
        const bool has = valid == nullptr || valid->test(static_cast<std::uint32_t>(i % image.width()),
                                                         static_cast<std::uint32_t>(i / image.width()));
        if (has) {
            samples.push_back(static_cast<std::uint16_t>(image.level(i)));
        }
    }
    return samples;
}

DisplayRange zscale(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    std::ranges::sort(values);
    const std::size_t count = values.size();
    const DisplayRange all{values.front(), values.back()};
    const std::size_t least =
        std::max(kLeastGood, static_cast<std::size_t>(static_cast<double>(count) * kMostRejected));
    const std::size_t growth = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * kGrowth));
    std::vector<bool> rejected(count);
    std::size_t good = count;
    std::size_t before = count + 1;
    Line line;
    for (int i = 0; i < kIterations && good < before && good >= least; ++i) {
        line = fitted(values, rejected);
        const double most = kReject * spreadAround(line, values, rejected);
        for (std::size_t at = 0; at < count; ++at) {
            rejected[at] = rejected[at] || std::abs(values[at] - line.at(at)) > most;
        }
        rejected = grown(rejected, growth);
        before = good;
        good = static_cast<std::size_t>(std::count(rejected.begin(), rejected.end(), false));
    }
    if (good < least) {
        return all;
    }
    const double slope = line.slope / kContrast;
    const std::size_t middle = (count - 1) / 2;
    const double median = count % 2 == 1 ? values[middle] : (values[middle] + values[middle + 1]) / 2;
    return {std::max(all.low, median - (static_cast<double>(middle) - 1) * slope),
            std::min(all.high, median + static_cast<double>(count - middle) * slope)};
}

} // namespace pollard

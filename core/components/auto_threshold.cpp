#include "components/auto_threshold.hpp"

#include "base/error.hpp"
#include "base/wide_integer.hpp"
#include "image/grey_weights.hpp"
#include "io/samples/value_rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Smallest and largest occupied level; first < last.
struct Ends {
    std::size_t first = 0;
    std::size_t last = 0;
};

Ends endsOf(ThresholdMethod method, const LevelCounts& counts) {
    const auto occupied = [](std::uint64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(counts, occupied);
    if (first == counts.end()) {
        throw Error(ErrorCode::invalidArgument,
                    "threshold: " + std::string(nameOf(method)) + ": the image has no pixels with data");
    }
    auto last = counts.end() - 1;
    while (*last == 0) {
        --last;
    }
    if (first == last) {
        throw Error(ErrorCode::invalidArgument, "threshold: " + std::string(nameOf(method)) +
                                                    ": needs two grey levels, and the image has only one");
    }
    return {static_cast<std::size_t>(first - counts.begin()), static_cast<std::size_t>(last - counts.begin())};
}

/// Places of the levels on the axis of the values: the levels themselves unless they are ranks.
class Places {
public:
    explicit Places(const GreyWeights* weights) : weights_(weights) {}

    [[nodiscard]] double operator()(std::size_t level) const noexcept {
        return static_cast<double>(weights_ == nullptr ? level : weights_->of(static_cast<std::uint16_t>(level)));
    }
    /// The last of the levels from @p first to @p last with a place up to @p place; @p first if there is none.
    [[nodiscard]] std::size_t lastUpTo(double place, std::size_t first, std::size_t last) const {
        while (first < last) {
            const std::size_t middle = first + (last - first + 1) / 2;
            if ((*this)(middle) <= place) {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        return first;
    }

private:
    const GreyWeights* weights_;
};

/// Number of pixels at or below a level, and the sum of their places.
struct Below {
    double pixels = 0;
    double sum = 0;
};

/// The counts with values beyond the quantiles .0001 and .9999 taken for these, as automatic ranges of values do. Null
/// unless an end lies farther from them than 16 times their distance.
std::unique_ptr<LevelCounts> withoutFarValues(const LevelCounts& counts, Ends ends, const GreyWeights& weights) {
    constexpr double kShare = 0.0001;
    constexpr std::uint64_t kFar = 16;
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const auto levelAt = [&](double quantile) {
        std::uint64_t left = rankOfQuantile(quantile, all);
        std::size_t level = ends.first;
        while (left >= counts[level]) {
            left -= counts[level++];
        }
        return level;
    };
    const auto weightOf = [&](std::size_t level) { return weights.of(static_cast<std::uint16_t>(level)); };
    const std::size_t low = levelAt(kShare);
    const std::size_t high = levelAt(1 - kShare);
    const std::uint64_t between = weightOf(high) - weightOf(low);
    const auto isFar = [&](std::uint64_t distance) { return between > 0 && distance / kFar > between; };
    if (!isFar(weightOf(ends.last) - weightOf(high)) && !isFar(weightOf(low) - weightOf(ends.first))) {
        return nullptr;
    }
    auto near = std::make_unique<LevelCounts>(counts);
    for (std::size_t level = ends.first; level < low; ++level) {
        (*near)[low] += std::exchange((*near)[level], 0);
    }
    for (std::size_t level = high + 1; level <= ends.last; ++level) {
        (*near)[high] += std::exchange((*near)[level], 0);
    }
    return near;
}

std::size_t otsu(const LevelCounts& counts, Ends ends, const Places& places) {
    Below all;
    for (std::size_t level = ends.first; level <= ends.last; ++level) {
        all.pixels += static_cast<double>(counts[level]);
        all.sum += static_cast<double>(counts[level]) * places(level);
    }
    // The split changes only at occupied levels, so only the first level after each is tried.
    Below below;
    double best = -1;
    std::size_t threshold = 0;
    for (std::size_t level = ends.first; level < ends.last; ++level) {
        const auto here = static_cast<double>(counts[level]);
        below.pixels += here;
        below.sum += here * places(level);
        if (here == 0) {
            continue;
        }
        const double above = all.pixels - below.pixels;
        const double distance = below.sum / below.pixels - (all.sum - below.sum) / above;
        const double between = below.pixels * above * distance * distance;
        if (between > best) {
            best = between;
            threshold = level + 1;
        }
    }
    return threshold;
}

std::size_t triangle(const LevelCounts& counts, Ends ends) {
    std::size_t peak = ends.first;
    for (std::size_t level = ends.first; level <= ends.last; ++level) {
        peak = counts[level] > counts[peak] ? level : peak;
    }
    const bool upper = ends.last - peak > peak - ends.first;
    const std::size_t end = upper ? ends.last : ends.first;
    const auto length = static_cast<std::int64_t>(upper ? end - peak : peak - end);
    const auto height = static_cast<std::int64_t>(counts[peak]);
    // Distance below the line times its length, which has the same maximum. At most 2^32 px times 2^16 levels.
    std::int64_t farthest = std::numeric_limits<std::int64_t>::min();
    std::size_t corner = ends.first;
    for (std::int64_t step = 0; step <= length; ++step) { // from the end to the peak
        const std::size_t level = upper ? end - static_cast<std::size_t>(step) : end + static_cast<std::size_t>(step);
        const std::int64_t distance = height * step - length * static_cast<std::int64_t>(counts[level]);
        if (level < ends.last && distance > farthest) {
            farthest = distance;
            corner = level;
        }
    }
    return corner + 1;
}

/// triangle() by the values of levels that are ranks.
std::size_t triangleOfRanks(const LevelCounts& counts, Ends ends, const GreyWeights& weights) {
    const std::uint64_t first = weights.of(static_cast<std::uint16_t>(ends.first));
    const std::uint64_t range = weights.of(static_cast<std::uint16_t>(ends.last)) - first;
    const auto bins = std::make_unique<LevelCounts>();
    const std::uint64_t most = bins->size() - 1;
    const auto binOf = [&](std::size_t level) {
        const std::uint64_t above = weights.of(static_cast<std::uint16_t>(level)) - first;
        return static_cast<std::size_t>(range <= most ? above : UInt128{above} * most / range);
    };
    for (std::size_t level = ends.first; level <= ends.last; ++level) {
        (*bins)[binOf(level)] += counts[level];
    }
    const std::size_t bin = triangle(*bins, {0, binOf(ends.last)});
    std::size_t threshold = ends.first + 1;
    while (threshold < ends.last && binOf(threshold) < bin) {
        ++threshold;
    }
    return threshold;
}

std::size_t crossEntropy(const LevelCounts& counts, Ends ends, const Places& places) {
    std::vector<Below> upTo(ends.last - ends.first + 1);
    const double start = places(ends.first);
    const auto lastUpTo = [&](double place) {
        return places.lastUpTo(start + place, ends.first, ends.last - 1) - ends.first;
    };
    Below below;
    for (std::size_t i = 0; i < upTo.size(); ++i) {
        const auto here = static_cast<double>(counts[ends.first + i]);
        below.pixels += here;
        below.sum += here * (places(ends.first + i) - start);
        upTo[i] = below;
    }
    std::size_t split = lastUpTo(below.sum / below.pixels); // last level of the lower class
    // With exact means no split recurs; the bound is for rounding errors.
    for (std::size_t step = 0; step < upTo.size(); ++step) {
        const Below& lower = upTo[split];
        const double lowerMean = lower.sum / lower.pixels;
        const double upperMean = (below.sum - lower.sum) / (below.pixels - lower.pixels);
        if (lowerMean == 0) {
            break; // only the smallest level
        }
        const double between = (upperMean - lowerMean) / (std::log(upperMean) - std::log(lowerMean));
        const std::size_t next = lastUpTo(between);
        if (upTo[next].pixels == lower.pixels) {
            break;
        }
        split = next;
    }
    while (counts[ends.first + split] == 0) {
        --split;
    }
    return ends.first + split + 1;
}

} // namespace

std::string_view nameOf(ThresholdMethod method) noexcept {
    switch (method) {
    case ThresholdMethod::triangle:
        return "triangle";
    case ThresholdMethod::li:
        return "li";
    case ThresholdMethod::otsu:
        break;
    }
    return "otsu";
}

std::optional<ThresholdMethod> findThresholdMethod(std::string_view name) noexcept {
    for (const ThresholdMethod method : kThresholdMethods) {
        if (nameOf(method) == name) {
            return method;
        }
    }
    return std::nullopt;
}

std::uint16_t automaticThreshold(ThresholdMethod method, const LevelCounts& counts,
                                 const std::optional<ValueMapping>& mapping) {
    Ends ends = endsOf(method, counts);
    std::optional<GreyWeights> weights;
    std::unique_ptr<LevelCounts> near;
    if (mapping && mapping->ranks != nullptr) {
        weights.emplace(*mapping);
        near = withoutFarValues(counts, ends, *weights);
    }
    if (near) {
        ends = endsOf(method, *near);
    }
    const LevelCounts& used = near ? *near : counts;
    const Places places(weights ? &*weights : nullptr);
    switch (method) {
    case ThresholdMethod::triangle:
        return static_cast<std::uint16_t>(weights ? triangleOfRanks(used, ends, *weights) : triangle(used, ends));
    case ThresholdMethod::li:
        return static_cast<std::uint16_t>(crossEntropy(used, ends, places));
    case ThresholdMethod::otsu:
        break;
    }
    return static_cast<std::uint16_t>(otsu(used, ends, places));
}

std::uint16_t automaticThreshold(ThresholdMethod method, const Image& image, const Mask* valid,
                                 const JobControl& control, const std::optional<ValueMapping>& mapping) {
    return automaticThreshold(method, *countLevels(image, valid, control), mapping);
}

} // namespace pollard

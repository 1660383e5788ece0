#include "components/auto_threshold.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
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

/// Number of pixels at or below a level, and the sum of their levels.
struct Below {
    double pixels = 0;
    double sum = 0;
};

std::size_t otsu(const LevelCounts& counts, Ends ends) {
    Below all;
    for (std::size_t level = ends.first; level <= ends.last; ++level) {
        all.pixels += static_cast<double>(counts[level]);
        all.sum += static_cast<double>(counts[level]) * static_cast<double>(level);
    }
    // The split changes only at occupied levels, so only the first level after each is tried.
    Below below;
    double best = -1;
    std::size_t threshold = 0;
    for (std::size_t level = ends.first; level < ends.last; ++level) {
        const auto here = static_cast<double>(counts[level]);
        below.pixels += here;
        below.sum += here * static_cast<double>(level);
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

std::size_t crossEntropy(const LevelCounts& counts, Ends ends) {
    std::vector<Below> upTo(ends.last - ends.first + 1);
    Below below;
    for (std::size_t i = 0; i < upTo.size(); ++i) {
        const auto here = static_cast<double>(counts[ends.first + i]);
        below.pixels += here;
        below.sum += here * static_cast<double>(i);
        upTo[i] = below;
    }
    auto split = static_cast<std::size_t>(below.sum / below.pixels); // last level of the lower class
    // With exact means no split recurs; the bound is for rounding errors.
    for (std::size_t step = 0; step < upTo.size(); ++step) {
        const Below& lower = upTo[split];
        const double lowerMean = lower.sum / lower.pixels;
        const double upperMean = (below.sum - lower.sum) / (below.pixels - lower.pixels);
        if (lowerMean == 0) {
            break; // only the smallest level
        }
        const double between = (upperMean - lowerMean) / (std::log(upperMean) - std::log(lowerMean));
        const std::size_t next = std::min(static_cast<std::size_t>(between), upTo.size() - 2);
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

std::uint16_t automaticThreshold(ThresholdMethod method, const LevelCounts& counts) {
    const Ends ends = endsOf(method, counts);
    switch (method) {
    case ThresholdMethod::triangle:
        return static_cast<std::uint16_t>(triangle(counts, ends));
    case ThresholdMethod::li:
        return static_cast<std::uint16_t>(crossEntropy(counts, ends));
    case ThresholdMethod::otsu:
        break;
    }
    return static_cast<std::uint16_t>(otsu(counts, ends));
}

std::uint16_t automaticThreshold(ThresholdMethod method, const Image& image, const Mask* valid,
                                 const JobControl& control) {
    return automaticThreshold(method, *countLevels(image, valid, control));
}

} // namespace pollard

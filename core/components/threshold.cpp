#include "components/threshold.hpp"

#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/run_bands.hpp"
#include "image/grey_weights.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/samples/value_rank.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerTask = 64;

/// Rows of all slices.
std::uint32_t rowsOf(const Image& image) noexcept { return static_cast<std::uint32_t>(image.extent().rows()); }

void requireSize(const Image& image, const Mask* valid) {
    if (valid != nullptr && (valid->width() != image.width() || valid->height() != rowsOf(image))) {
        throw Error(ErrorCode::invalidArgument, "threshold: a mask of " + std::to_string(valid->width()) + " x " +
                                                    std::to_string(valid->height()) + " px does not fit an image of " +
                                                    std::to_string(image.width()) + " x " +
                                                    std::to_string(image.height()) + " px");
    }
}

/// Calls visit(y, first, last) for the runs of valid pixels; rows in parallel.
template <class Visit>
void forEachValidRun(const Image& image, const Mask* valid, const JobControl& control, Visit&& visit) {
    forEachRange(
        rowsOf(image), control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                if (valid == nullptr) {
                    visit(y, 0, image.width());
                } else {
                    forEachRun(*valid, y, true,
                               [&](std::uint32_t first, std::uint32_t last) { visit(y, first, last); });
                }
            }
        },
        kRowsPerTask);
}

} // namespace

std::unique_ptr<LevelCounts> countLevels(const Image& image, const Mask* valid, const JobControl& control) {
    requireSize(image, valid);
    tbb::enumerable_thread_specific<std::unique_ptr<LevelCounts>> parts([] { return std::make_unique<LevelCounts>(); });
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        forEachValidRun(image, valid, control, [&](std::uint32_t y, std::uint32_t first, std::uint32_t last) {
            LevelCounts& counts = *parts.local();
            const Pixel* row = pixels + std::size_t{y} * image.width();
            for (std::uint32_t x = first; x < last; ++x) {
                ++counts[row[x]];
            }
        });
    });
    auto counts = std::make_unique<LevelCounts>();
    for (const auto& part : parts) {
        for (std::size_t level = 0; level < counts->size(); ++level) {
            (*counts)[level] += (*part)[level];
        }
    }
    return counts;
}

Mask thresholdMask(const Image& image, std::uint16_t low, std::uint16_t high, const Mask* valid,
                   const JobControl& control) {
    requireSize(image, valid);
    Mask mask(image.width(), rowsOf(image), false);
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        forEachValidRun(image, valid, control, [&](std::uint32_t y, std::uint32_t first, std::uint32_t last) {
            const Pixel* row = pixels + std::size_t{y} * image.width();
            for (std::uint32_t x = first; x < last;) {
                const auto in = [&](std::uint32_t at) { return row[at] >= low && row[at] <= high; };
                while (x < last && !in(x)) {
                    ++x;
                }
                const std::uint32_t start = x;
                while (x < last && in(x)) {
                    ++x;
                }
                if (start < x) {
                    mask.setRun(start, x, y, true);
                }
            }
        });
    });
    return mask;
}

namespace {

/// Smallest and largest occupied level; first < last.
struct OccupiedRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

OccupiedRange occupiedRangeOf(ThresholdMethod method, const LevelCounts& counts) {
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

/// Positions of the levels on the axis of the values: the levels themselves unless they are ranks.
class LevelAxis {
public:
    explicit LevelAxis(const GreyWeights* weights) : weights_(weights) {}

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
struct CumulativeCount {
    double pixels = 0;
    double sum = 0;
};

/// Moves the counts of values beyond the quantiles .0001 and .9999 to these quantiles, as automatic ranges of values
/// do. Null unless an end lies farther from its quantile than 16 times the distance of the quantiles.
std::unique_ptr<LevelCounts> withoutFarValues(const LevelCounts& counts, OccupiedRange ends,
                                              const GreyWeights& weights) {
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

/// @param places of the levels, ascending
template <class Places> std::size_t otsu(const LevelCounts& counts, OccupiedRange ends, const Places& places) {
    CumulativeCount all;
    for (std::size_t level = ends.first; level <= ends.last; ++level) {
        all.pixels += static_cast<double>(counts[level]);
        all.sum += static_cast<double>(counts[level]) * places(level);
    }
    // The split changes only at occupied levels, so only the first level after each is tried.
    CumulativeCount below;
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

std::size_t triangle(const LevelCounts& counts, OccupiedRange ends) {
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

/// triangle() for levels that are ranks, by their values.
std::size_t triangleOfRanks(const LevelCounts& counts, OccupiedRange ends, const GreyWeights& weights) {
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

std::size_t crossEntropy(const LevelCounts& counts, OccupiedRange ends, const LevelAxis& places) {
    std::vector<CumulativeCount> upTo(ends.last - ends.first + 1);
    const double start = places(ends.first);
    const auto lastUpTo = [&](double place) {
        return places.lastUpTo(start + place, ends.first, ends.last - 1) - ends.first;
    };
    CumulativeCount below;
    for (std::size_t i = 0; i < upTo.size(); ++i) {
        const auto here = static_cast<double>(counts[ends.first + i]);
        below.pixels += here;
        below.sum += here * (places(ends.first + i) - start);
        upTo[i] = below;
    }
    std::size_t split = lastUpTo(below.sum / below.pixels); // last level of the lower class
    // With exact means no split recurs; the bound is for rounding errors.
    for (std::size_t step = 0; step < upTo.size(); ++step) {
        const CumulativeCount& lower = upTo[split];
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
    case ThresholdMethod::otsuRoot:
        return "otsu-root";
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
    OccupiedRange ends = occupiedRangeOf(method, counts);
    std::optional<GreyWeights> weights;
    std::unique_ptr<LevelCounts> near;
    if (mapping && mapping->ranks != nullptr) {
        weights.emplace(*mapping);
        near = withoutFarValues(counts, ends, *weights);
    }
    if (near) {
        ends = occupiedRangeOf(method, *near);
    }
    const LevelCounts& used = near ? *near : counts;
    const LevelAxis places(weights ? &*weights : nullptr);
    switch (method) {
    case ThresholdMethod::otsuRoot:
        return static_cast<std::uint16_t>(otsu(used, ends, [&](std::size_t level) {
            return std::sqrt(std::max(0.0, valueOf(mapping, static_cast<double>(level))));
        }));
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

namespace {

constexpr std::size_t kRunsBetweenStops = std::size_t{1} << 20U;

/// The neighbours of the background of objects.
Connectivity dualOf(Connectivity objects) noexcept {
    switch (objects) {
    case Connectivity::four:
        return Connectivity::eight;
    case Connectivity::eight:
        return Connectivity::four;
    case Connectivity::six:
        return Connectivity::twentySix;
    case Connectivity::eighteen:
    case Connectivity::twentySix:
        break;
    }
    return Connectivity::six;
}

/// The complement of a mask.
Mask complementOf(const Mask& mask, const JobControl& control) {
    Mask complement(mask.width(), mask.height(), false);
    forEachIndex(
        mask.height(), control,
        [&](std::size_t row) {
            const auto y = static_cast<std::uint32_t>(row);
            forEachRun(mask, y, false,
                       [&](std::uint32_t first, std::uint32_t last) { complement.setRun(first, last, y, true); });
        },
        kRowsPerTask);
    return complement;
}

/// Components of the complement, divided into holes and others.
class Holes {
public:
    Holes(const Mask& complement, const Extent& extent, Connectivity connectivity, const JobControl& control)
        : control_(control), extent_(extent), inVolume_(!isPlanar(connectivity)), forest_(complement, control) {
        joinRuns(forest_, bandsOf(extent, connectivity), extent, connectivity, nullptr, control);
        findRoots();
    }

    void fill(Mask& mask, const Mask* inside) {
        forEachRow([&](std::uint32_t row) { findOpen(row, inside); });
        forEachRow([&](std::uint32_t row) {
            for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
                if (open_[root_[i]] == 0) {
                    mask.setRun(forest_.run(i).first, forest_.run(i).last, row, true);
                }
            }
        });
    }

private:
    template <class Work> void forEachRow(const Work& work) const {
        forEachIndex(
            extent_.rows(), control_, [&](std::size_t row) { work(static_cast<std::uint32_t>(row)); }, kRowsPerTask);
    }

    /// Parents have smaller indices, so one pass in order suffices.
    void findRoots() {
        root_ = Buffer<std::uint32_t>(forest_.size());
        open_.assign(forest_.size(), 0);
        for (std::size_t i = 0; i < forest_.size(); ++i) {
            if (i % kRunsBetweenStops == 0) {
                control_.throwIfStopped();
            }
            const std::uint32_t parent = forest_.parent(i);
            root_[i] = parent == i ? parent : root_[parent];
        }
    }

    /// Marks the components with a run in this row that reaches the border or a pixel outside @p inside.
    void findOpen(std::uint32_t row, const Mask* inside) {
        const std::size_t end = forest_.rowStart(row + 1);
        const std::uint32_t y = row % extent_.height;
        const std::uint32_t z = row / extent_.height;
        const bool atBorder = y == 0 || y + 1 == extent_.height || (inVolume_ && (z == 0 || z + 1 == extent_.slices));
        for (std::size_t i = forest_.rowStart(row); i < end; ++i) {
            if (atBorder || forest_.run(i).first == 0 || forest_.run(i).last == extent_.width) {
                markOpen(i);
            }
        }
        if (inside == nullptr) {
            return;
        }
        std::size_t next = forest_.rowStart(row);
        forEachRun(*inside, row, false, [&](std::uint32_t first, std::uint32_t last) {
            while (next < end && forest_.run(next).last <= first) {
                ++next;
            }
            for (std::size_t i = next; i < end && forest_.run(i).first < last; ++i) {
                markOpen(i);
            }
        });
    }
    void markOpen(std::size_t run) {
        std::atomic_ref(open_[root_[run]]).store(1, std::memory_order_relaxed); // other rows may mark it too
    }

    const JobControl& control_;
    Extent extent_;
    bool inVolume_;
    RunForest forest_;
    Buffer<std::uint32_t> root_;     ///< per run
    std::vector<std::uint8_t> open_; ///< by root: 1 if it is not a hole
};

} // namespace

void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control, std::uint32_t slices) {
    const Extent extent{mask.width(), mask.height() / slices, slices};
    const auto describe = [](const Mask& each) {
        return std::to_string(each.width()) + " x " + std::to_string(each.height()) + " px";
    };
    if (inside != nullptr && (inside->width() != mask.width() || inside->height() != mask.height())) {
        throw Error(ErrorCode::invalidArgument,
                    "fill holes: a region of " + describe(*inside) + " does not fit a mask of " + describe(mask));
    }
    try {
        const Mask complement = complementOf(mask, control);
        Holes(complement, extent, dualOf(objects), control).fill(mask, inside);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "fill holes: no memory for a mask of " + describe(mask));
    }
}

} // namespace pollard

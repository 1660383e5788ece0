#include "components/local_background.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace pollard {

namespace {

constexpr double kClip = 3; ///< sigma
constexpr int kMostClips = 10;
constexpr double kSkewed = 0.3; ///< sigma between mean and median
constexpr std::uint32_t kRowsPerTask = 16;

double medianOf(std::span<const double> sorted) noexcept {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

struct Moments {
    double mean = 0;
    double spread = 0;
};

Moments momentsOf(std::span<const double> numbers) noexcept {
    const auto count = static_cast<double>(numbers.size());
    Moments moments;
    for (const double number : numbers) {
        moments.mean += number;
    }
    moments.mean /= count;
    double squares = 0;
    for (const double number : numbers) {
        squares += (number - moments.mean) * (number - moments.mean);
    }
    moments.spread = std::sqrt(squares / count);
    return moments;
}

/// The sorted numbers within 3 sigma of their median, after repeated clipping.
std::span<const double> clipped(std::span<const double> sorted) noexcept {
    for (int i = 0; i < kMostClips; ++i) {
        const double median = medianOf(sorted);
        const double reach = kClip * momentsOf(sorted).spread;
        const auto first = std::lower_bound(sorted.begin(), sorted.end(), median - reach);
        const auto end = std::upper_bound(first, sorted.end(), median + reach);
        const auto kept = static_cast<std::size_t>(end - first);
        if (kept == sorted.size() || kept == 0) {
            break;
        }
        sorted = sorted.subspan(static_cast<std::size_t>(first - sorted.begin()), kept);
    }
    return sorted;
}

/// Position of a pixel between the centres of two boxes.
struct Interpolation {
    std::size_t first = 0;
    std::size_t second = 0;
    double share = 0; ///< weight of the second box
};

Interpolation placeOf(std::uint32_t at, std::uint32_t box, std::uint32_t count) noexcept {
    const double place = (at + 0.5) / box - 0.5; // in boxes from the centre of the first
    if (place <= 0 || count == 1) {
        return {};
    }
    const auto first = std::min(static_cast<std::size_t>(place), std::size_t{count} - 1);
    const std::size_t second = std::min(first + 1, std::size_t{count} - 1);
    return {first, second, second == first ? 0 : place - static_cast<double>(first)};
}

double blend(double first, double second, double share) noexcept { return first + (second - first) * share; }

} // namespace

LocalBackground::LocalBackground(const Image& image, const Mask* inside, std::uint32_t box, const JobControl& control,
                                 const std::optional<ValueMapping>& mapping)
    : width_(image.width()), height_(image.height()), box_(box), columns_(0), rows_(0) {
    if (image.extent().isVolume()) {
        throw Error(ErrorCode::invalidArgument, "background: works on images, not on volumes");
    }
    if (box < BackgroundThreshold::kLeastBox || box > BackgroundThreshold::kMostBox) {
        throw Error(ErrorCode::invalidArgument, "background: a box of " + std::to_string(box) + " px: must have " +
                                                    std::to_string(BackgroundThreshold::kLeastBox) + " to " +
                                                    std::to_string(BackgroundThreshold::kMostBox));
    }
    if (mapping && mapping->ranks) {
        values_ = mapping->ranks->values;
        values_.resize(std::size_t{maxLevelOf(image.type())} + 1, values_.empty() ? 0 : values_.back());
    } else if (mapping) {
        step_ = mapping->step;
    }
    columns_ = (width_ + box - 1) / box;
    rows_ = (height_ + box - 1) / box;
    cells_.resize(std::size_t{columns_} * rows_);
    forEachIndex(
        cells_.size(), control,
        [&](std::size_t i) {
            cells_[i] = cellOf(image, inside, static_cast<std::uint32_t>(i % columns_),
                               static_cast<std::uint32_t>(i / columns_));
        },
        1);
    control.throwIfStopped();
    fillGaps();
    smooth();
}

LocalBackground::Cell LocalBackground::cellOf(const Image& image, const Mask* inside, std::uint32_t column,
                                              std::uint32_t row) const {
    std::vector<double> numbers;
    for (std::uint32_t y = row * box_; y < std::min((row + 1) * box_, height_); ++y) {
        for (std::uint32_t x = column * box_; x < std::min((column + 1) * box_, width_); ++x) {
            if (inside == nullptr || inside->test(x, y)) {
                numbers.push_back(numberOf(static_cast<std::uint16_t>(image.level(std::size_t{y} * width_ + x))));
            }
        }
    }
    if (numbers.empty()) {
        return {};
    }
    std::ranges::sort(numbers);
    const std::span<const double> kept = clipped(numbers);
    const Moments moments = momentsOf(kept);
    const double median = medianOf(kept);
    constexpr double kMedian = 2.5;
    constexpr double kMean = 1.5;
    const bool isSkewed = std::abs(moments.mean - median) > kSkewed * moments.spread;
    return {isSkewed ? median : kMedian * median - kMean * moments.mean, moments.spread, true};
}

/// Boxes without pixels get the mean of the known boxes around them, ring by ring.
void LocalBackground::fillGaps() {
    const auto isKnown = [](const Cell& cell) { return cell.isKnown; };
    while (!std::ranges::all_of(cells_, isKnown)) {
        if (std::ranges::none_of(cells_, isKnown)) {
            return;
        }
        const std::vector<Cell> before = cells_;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            if (before[i].isKnown) {
                continue;
            }
            Cell sum;
            double count = 0;
            forEachAround(i, [&](std::size_t other) {
                if (before[other].isKnown) {
                    sum.level += before[other].level;
                    sum.spread += before[other].spread;
                    ++count;
                }
            });
            if (count > 0) {
                cells_[i] = {sum.level / count, sum.spread / count, true};
            }
        }
    }
}

void LocalBackground::smooth() {
    const std::vector<Cell> before = cells_;
    std::vector<double> levels;
    std::vector<double> spreads;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        levels.clear();
        spreads.clear();
        forEachAround(i, [&](std::size_t other) {
            levels.push_back(before[other].level);
            spreads.push_back(before[other].spread);
        });
        std::ranges::sort(levels);
        std::ranges::sort(spreads);
        cells_[i].level = medianOf(levels);
        cells_[i].spread = medianOf(spreads);
    }
}

void LocalBackground::row(std::uint32_t y, std::span<double> level, std::span<double> spread) const {
    const Interpolation down = placeOf(y, box_, rows_);
    const Cell* const upper = cells_.data() + down.first * columns_;
    const Cell* const lower = cells_.data() + down.second * columns_;
    for (std::uint32_t x = 0; x < width_; ++x) {
        const Interpolation right = placeOf(x, box_, columns_);
        const auto at = [&](double Cell::*number) {
            return blend(blend(upper[right.first].*number, upper[right.second].*number, right.share),
                         blend(lower[right.first].*number, lower[right.second].*number, right.share), down.share);
        };
        level[x] = at(&Cell::level);
        spread[x] = at(&Cell::spread);
    }
}

Mask LocalBackground::beyond(const Image& image, double sigmas, bool dark, const Mask* inside,
                             const JobControl& control) const {
    Mask mask(width_, height_, false);
    forEachRange(
        height_, control,
        [&](std::size_t begin, std::size_t end) {
            std::vector<double> level(width_);
            std::vector<double> spread(width_);
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                row(y, level, spread);
                for (std::uint32_t x = 0; x < width_; ++x) {
                    const double number =
                        numberOf(static_cast<std::uint16_t>(image.level(std::size_t{y} * width_ + x)));
                    const double off = dark ? level[x] - number : number - level[x];
                    if (off > sigmas * spread[x] && (inside == nullptr || inside->test(x, y))) {
                        mask.set(x, y, true);
                    }
                }
            }
        },
        kRowsPerTask);
    return mask;
}

std::vector<double> LocalBackground::fluxes(const Image& image, std::span<const std::uint32_t> labels,
                                            std::uint32_t count, const JobControl& control) const {
    std::vector<double> sums(count);
    std::vector<double> level(width_);
    std::vector<double> spread(width_);
    for (std::uint32_t y = 0; y < height_; ++y) {
        if (y % kRowsPerTask == 0) {
            control.throwIfStopped();
        }
        row(y, level, spread);
        for (std::uint32_t x = 0; x < width_; ++x) {
            const std::size_t at = std::size_t{y} * width_ + x;
            if (const std::uint32_t label = labels[at]; label != 0) {
                sums[label - 1] += (numberOf(static_cast<std::uint16_t>(image.level(at))) - level[x]) * step_;
            }
        }
    }
    return sums;
}

} // namespace pollard

#include "io/samples/value_levels.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_rank.hpp"
#include "io/samples/value_statistics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Pixels between checks for a stop request.
constexpr std::size_t kPixelsAtOnce = std::size_t{1} << 16;

/// Nearest integer, half up; for @p number >= 0.
std::uint64_t roundedHalfUp(double number) {
    constexpr double kHalf = 0.5;
    return static_cast<std::uint64_t>(number + kHalf);
}

/// @p value as T: floats are rounded, and clamped beyond T's range; nothing if no T can equal it.
template <class T> std::optional<T> closest(double value) {
    if (std::isnan(value)) {
        return std::nullopt; // NaN never counts as data, whatever the file states
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isinf(value)) {
            return static_cast<T>(value);
        }
        constexpr double kLargest = std::numeric_limits<T>::max();
        return static_cast<T>(std::clamp(value, -kLargest, kLargest));
    } else {
        if (value != std::floor(value)) {
            return std::nullopt;
        }
        // Both ends are powers of two, exact as doubles.
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        const double begin = std::is_signed_v<T> ? -end : 0.0;
        if (value >= end) {
            return value == end ? std::optional<T>(std::numeric_limits<T>::max()) : std::nullopt;
        }
        return value < begin ? std::nullopt : std::optional<T>(static_cast<T>(value));
    }
}

template <class T> struct Range {
    T low{};
    T high{};
    double step = 1;
};

template <class T> class Mapper {
public:
    Mapper(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps, const JobControl& control,
           const ValueStatistics* statistics)
        : values_(static_cast<const T*>(values.data)), width_(values.width), height_(values.height), choice_(choice),
          gaps_(gaps), control_(control), statistics_(statistics) {
        if (gaps.noData) {
            noData_ = closest<T>(*gaps.noData);
        }
        highest_ = maxLevelOf(levelTypeOf(values.type));
    }

    MappedLevels run(PixelType type) {
        const ValueSummary<T>* all = summaryOfAll();
        summary_ = all != nullptr ? *all : summarise();
        MappedLevels result;
        result.image = std::make_shared<Image>(type, width_, height_);
        chooseRange(result.mapping);
        Mask mask(width_, height_, true);
        std::atomic<std::uint64_t> clipped{0};
        std::atomic<std::uint64_t> invalid{0};
        dispatch(type, [&]<class L>(L) {
            L* levels = result.image->pixels<L>().data();
            forRows([&](std::uint32_t y) {
                const T* row = values_ + std::size_t{y} * width_;
                L* out = levels + std::size_t{y} * width_;
                std::uint64_t beyond = 0;
                std::uint64_t gaps = 0;
                for (std::uint32_t x = 0; x < width_; ++x) {
                    out[x] = static_cast<L>(levelOf(row[x]));
                    if (summary_.invalid != 0 && !isValid(row[x], x, y)) {
                        mask.set(x, y, false);
                        ++gaps;
                    } else if (isBeyond(row[x])) {
                        ++beyond;
                    }
                }
                clipped.fetch_add(beyond, std::memory_order_relaxed);
                invalid.fetch_add(gaps, std::memory_order_relaxed);
            });
        });
        finish(result, all != nullptr ? all->clipped : clipped.load());
        result.invalidPixels = invalid.load();
        if (result.invalidPixels != 0) {
            result.valid = std::make_shared<const Mask>(std::move(mask));
        }
        return result;
    }

    /// Adds the values to the statistics, for levels of 0.
    MappedLevels collect(ValueType valueType, PixelType type, ValueStatistics& statistics) {
        if (choice_.range == MappingChoice::Range::fixed) {
            setRealRange(choice_.low, choice_.high);
        }
        statistics.add<T>(valueType, summarise(), choice_);
        if (const auto* visitor = statistics.visitor<T>();
            visitor != nullptr && choice_.range == MappingChoice::Range::percentile) {
            visitRows(*visitor);
        }
        MappedLevels result;
        result.image = std::make_shared<Image>(type, width_, height_);
        std::fill_n(result.image->data(), result.image->bytes(), std::byte{0});
        result.mapping.exact = true;
        return result;
    }

    /// Levels of the smallest and the largest of all valid values.
    std::optional<LevelEnds> levelEnds() {
        summary_ = *summaryOfAll();
        if (summary_.finite + summary_.infinite == 0) {
            return std::nullopt;
        }
        ValueMapping mapping;
        chooseRange(mapping);
        const bool finite = summary_.finite != 0;
        T lowest = summary_.lowest;
        T highest = summary_.highest;
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kInfinity = std::numeric_limits<T>::infinity();
            lowest = summary_.negativeInfinity ? -kInfinity : finite ? lowest : kInfinity;
            highest = summary_.positiveInfinity ? kInfinity : finite ? highest : -kInfinity;
        }
        return LevelEnds{static_cast<std::uint16_t>(levelOf(lowest)), static_cast<std::uint16_t>(levelOf(highest))};
    }

private:
    /// Null if the values are mapped by their own range.
    [[nodiscard]] const ValueSummary<T>* summaryOfAll() const {
        if (statistics_ == nullptr || !statistics_->isKnown()) {
            return nullptr;
        }
        const ValueSummary<T>* all = statistics_->summary<T>();
        if (all == nullptr) {
            throw std::logic_error("the type of values differs between regions of a picture");
        }
        return all;
    }

    /// Passes on the finite valid values; zeros without their sign, because a range does not tell them apart.
    void visitRows(const std::function<void(std::span<const T>)>& visitor) const {
        const std::size_t grain = std::max<std::size_t>(1, 16 * kPixelsAtOnce / width_);
        forEachRange(
            height_, control_,
            [&](std::size_t begin, std::size_t end) {
                std::vector<T> found;
                for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                    const T* row = values_ + std::size_t{y} * width_;
                    for (std::uint32_t x = 0; x < width_; ++x) {
                        if (isFinite(row[x]) && isValid(row[x], x, y)) {
                            found.push_back(row[x] == T{} ? T{} : row[x]);
                        }
                    }
                }
                visitor(found);
            },
            grain);
    }

    template <class Work> void forRows(const Work& work) const {
        const std::size_t grain = std::max<std::size_t>(1, kPixelsAtOnce / width_);
        forEachRange(
            height_, control_,
            [&](std::size_t begin, std::size_t end) {
                for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                    work(y);
                }
            },
            grain);
    }

    [[nodiscard]] static bool isFinite(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            return std::isfinite(value);
        } else {
            return true;
        }
    }
    [[nodiscard]] static bool isNan(T value) { return value != value; } // NOLINT(misc-redundant-expression)

    [[nodiscard]] bool isValid(T value, std::uint32_t x, std::uint32_t y) const {
        return !isNan(value) && !(noData_ && value == *noData_) && (!gaps_.valid || gaps_.valid->test(x, y));
    }

    ValueSummary<T> summarise() const {
        const std::size_t grain = std::max<std::size_t>(1, kPixelsAtOnce / width_);
        return tbb::parallel_reduce(
            tbb::blocked_range<std::uint32_t>(0, height_, grain), ValueSummary<T>{},
            [&](const auto& rows, ValueSummary<T> sum) {
                control_.throwIfStopped();
                for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                    addRow(y, sum);
                }
                return sum;
            },
            [](ValueSummary<T> a, const ValueSummary<T>& b) {
                a.add(b);
                return a;
            });
    }

    void addRow(std::uint32_t y, ValueSummary<T>& sum) const {
        const T* row = values_ + std::size_t{y} * width_;
        for (std::uint32_t x = 0; x < width_; ++x) {
            const T value = row[x];
            if (!isValid(value, x, y)) {
                ++sum.invalid;
                sum.nan += isNan(value) ? 1 : 0;
            } else if (isFinite(value)) {
                ++sum.finite;
                sum.lowest = std::min(sum.lowest, value);
                sum.highest = std::max(sum.highest, value);
                sum.clipped += real_ && isBeyond(value) ? 1 : 0;
            } else {
                ++sum.infinite;
                sum.negativeInfinity = sum.negativeInfinity || value < T{};
                sum.positiveInfinity = sum.positiveInfinity || value > T{};
            }
        }
    }

    /// Sets the range by the mapping choice. Without a finite value all levels are 0 or the highest.
    void chooseRange(ValueMapping& mapping) {
        mapping.nan = summary_.nan;
        mapping.infinite = summary_.infinite;
        if (summary_.finite != 0) {
            mapping.minimum = static_cast<double>(summary_.lowest);
            mapping.maximum = static_cast<double>(summary_.highest);
        }
        if (choice_.range == MappingChoice::Range::fixed) {
            setRealRange(choice_.low, choice_.high);
        } else if (choice_.range == MappingChoice::Range::automatic && keepsIntegers()) {
            integers_ = true;
        } else if (summary_.finite == 0) {
            setRealRange(0, 0);
        } else if (choice_.range == MappingChoice::Range::percentile) {
            const auto ends = summaryOfAll() != nullptr ? statistics_->quantiles<T>() : quantiles();
            setRange(ends.first, ends.second);
        } else {
            setRange(summary_.lowest, summary_.highest);
        }
        mapping.offset = integers_ || !real_ ? static_cast<double>(low_) : realLow_;
        mapping.step = integers_ ? 1 : step_;
    }

    /// Whether all values of the type, or all that occur, have their own level. Sets low_ and high_.
    bool keepsIntegers() {
        if constexpr (std::is_floating_point_v<T>) {
            return false;
        } else if constexpr (sizeof(T) <= 2) {
            low_ = std::numeric_limits<T>::lowest();
            high_ = std::numeric_limits<T>::max();
            return true;
        } else {
            if (summary_.finite == 0) {
                return false;
            }
            low_ = summary_.lowest;
            high_ = summary_.highest;
            return above(high_) <= highest_;
        }
    }

    /// Distance from the lower end; exact, because differences of 64-bit integers fit 64 unsigned bits.
    [[nodiscard]] std::uint64_t above(T value) const {
        return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low_);
    }

    std::pair<T, T> quantiles() const {
        const auto visit = [&](auto&& take) {
            tbb::parallel_for(
                tbb::blocked_range<std::uint32_t>(0, height_, std::max<std::size_t>(1, 16 * kPixelsAtOnce / width_)),
                [&](const auto& rows) {
                    control_.throwIfStopped();
                    take([&](auto&& each) {
                        for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                            const T* row = values_ + std::size_t{y} * width_;
                            for (std::uint32_t x = 0; x < width_; ++x) {
                                if (isFinite(row[x]) && isValid(row[x], x, y)) {
                                    each(row[x]);
                                }
                            }
                        }
                    });
                });
        };
        const auto found = quantilesOf<T, 2>(visit, {choice_.low, choice_.high}); // there are finite values
        return {found->front(), found->back()};
    }

    void setRange(T low, T high) {
        low_ = low;
        high_ = high;
        if constexpr (std::is_floating_point_v<T>) {
            setRealRange(static_cast<double>(low), static_cast<double>(high));
        } else {
            step_ = low < high ? stepFor(static_cast<double>(above(high)), 1) : 1;
        }
    }

    /// Sets ends that need not be values of the type. If the range overflows a double, it and all differences are
    /// halved.
    void setRealRange(double low, double high) {
        real_ = true;
        realLow_ = low;
        realHigh_ = high;
        factor_ = std::isinf(high - low) ? 0.5 : 1.0;
        step_ = low < high ? stepFor(high * factor_ - low * factor_, factor_) : 1;
    }

    /// Smallest step that maps the range into the levels: near the smallest doubles, a step rounded down would exclude
    /// the upper end.
    [[nodiscard]] double stepFor(double range, double factor) const {
        double step = range / highest_;
        while (!(range / step < highest_ + 0.5)) {
            step = std::nextafter(step, std::numeric_limits<double>::infinity());
        }
        return step / factor;
    }

    [[nodiscard]] std::uint32_t levelOf(T value) const {
        if (integers_) {
            // Values of invalid pixels may be outside.
            return value < low_ ? 0 : value > high_ ? highest_ : static_cast<std::uint32_t>(above(value));
        }
        if (isNan(value)) {
            return 0;
        }
        if (!real_) {
            if (value <= low_) {
                return 0;
            }
            return value > high_ ? highest_ : nearest(static_cast<double>(above(value)) / step_);
        }
        const auto number = static_cast<double>(value);
        if (number <= realLow_) {
            return 0;
        }
        return number > realHigh_ ? highest_ : nearest((number * factor_ - realLow_ * factor_) / (step_ * factor_));
    }

    [[nodiscard]] std::uint32_t nearest(double level) const {
        return std::min(highest_, static_cast<std::uint32_t>(roundedHalfUp(level)));
    }

    /// Whether a valid, finite value is outside the range.
    [[nodiscard]] bool isBeyond(T value) const {
        if (integers_ || !isFinite(value)) {
            return false;
        }
        if (!real_) {
            return value < low_ || value > high_;
        }
        const auto number = static_cast<double>(value);
        return number < realLow_ || number > realHigh_;
    }

    void finish(MappedLevels& result, std::uint64_t clipped) const {
        ValueMapping& mapping = result.mapping;
        mapping.clipped = clipped;
        const bool oneValue = summary_.finite == 0 || summary_.lowest == summary_.highest;
        const bool apart = std::is_integral_v<T> && mapping.step <= 1;
        mapping.exact = clipped == 0 && summary_.infinite == 0 && (oneValue || apart);
    }

    const T* values_;
    std::uint32_t width_;
    std::uint32_t height_;
    MappingChoice choice_;
    const ValueGaps& gaps_;
    const JobControl& control_;
    const ValueStatistics* statistics_; ///< null if there are none
    std::optional<T> noData_;
    ValueSummary<T> summary_;
    std::uint32_t highest_ = 0; ///< highest level
    bool integers_ = false;     ///< level = value - low_
    bool real_ = false;         ///< range is realLow_..realHigh_, otherwise low_..high_
    T low_{};
    T high_{};
    double realLow_ = 0;
    double realHigh_ = 0;
    double factor_ = 1;
    double step_ = 1;
};

float fromParts(bool negative, std::uint32_t exponent, std::uint32_t largestExponent, int bias, std::uint32_t fraction,
                int fractionBits) {
    float magnitude = 0;
    if (exponent == largestExponent) {
        magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    } else {
        const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << fractionBits;
        const int power = static_cast<int>(std::max(exponent, 1U)) - bias - fractionBits;
        magnitude = std::ldexp(static_cast<float>(significand), power);
    }
    return negative ? -magnitude : magnitude;
}

} // namespace

template <class T> bool equalsNoData(T value, double noData) noexcept {
    const std::optional<T> wanted = closest<T>(noData);
    return wanted && value == *wanted;
}
template bool equalsNoData(std::int8_t, double) noexcept;
template bool equalsNoData(std::int16_t, double) noexcept;
template bool equalsNoData(std::uint32_t, double) noexcept;
template bool equalsNoData(std::int32_t, double) noexcept;
template bool equalsNoData(std::uint64_t, double) noexcept;
template bool equalsNoData(std::int64_t, double) noexcept;
template bool equalsNoData(float, double) noexcept;
template bool equalsNoData(double, double) noexcept;

std::size_t bytesOf(ValueType type) noexcept {
    return dispatch(type, []<class T>(T) { return sizeof(T); });
}

PixelType levelTypeOf(ValueType type) noexcept { return bytesOf(type) == 1 ? PixelType::u8 : PixelType::u16; }

MappedLevels levelsOfValues(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps,
                            const JobControl& control, ValueStatistics* statistics) {
    checkMapping(choice);
    control.throwIfStopped();
    MappedLevels mapped = dispatch(values.type, [&]<class T>(T) {
        Mapper<T> mapper(values, choice, gaps, control, statistics);
        const PixelType type = levelTypeOf(values.type);
        return statistics != nullptr && statistics->isCollecting() ? mapper.collect(values.type, type, *statistics)
                                                                   : mapper.run(type);
    });
    if (!mapped.mapping.exact) {
        KeptValues::keep(mapped.image, values);
    }
    return mapped;
}

std::optional<LevelEnds> levelEndsOf(const ValueStatistics& statistics) {
    const ValueType type = statistics.type().value();
    return dispatch(type, [&]<class T>(T) {
        return Mapper<T>({type, nullptr, 1, 1}, statistics.choice(), {}, {}, &statistics).levelEnds();
    });
}

std::uint64_t invalidValues(const ValueStatistics& statistics) {
    return dispatch(statistics.type().value(), [&]<class T>(T) { return statistics.summary<T>()->invalid; });
}

void checkMapping(const MappingChoice& choice) {
    const std::string range = std::to_string(choice.low) + " to " + std::to_string(choice.high);
    if (choice.range == MappingChoice::Range::percentile &&
        !(choice.low >= 0 && choice.low < choice.high && choice.high <= 1)) {
        throw Error(ErrorCode::invalidArgument,
                    "range of values: quantiles " + range + ": must ascend and lie from 0 to 1");
    }
    if (choice.range == MappingChoice::Range::fixed &&
        !(std::isfinite(choice.low) && std::isfinite(choice.high) && choice.low <= choice.high)) {
        throw Error(ErrorCode::invalidArgument, "range of values: " + range + ": must be finite and not descend");
    }
}

float floatFromHalf(std::uint16_t bits) noexcept {
    return fromParts((bits & 0x8000U) != 0, bits >> 10 & 0x1fU, 0x1f, 15, bits & 0x3ffU, 10);
}

float floatFrom24Bits(std::uint32_t bits) noexcept {
    return fromParts((bits & 0x800000U) != 0, bits >> 16 & 0x7fU, 0x7f, 63, bits & 0xffffU, 16);
}

} // namespace pollard

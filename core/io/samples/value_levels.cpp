#include "io/samples/value_levels.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/level_choice.hpp"
#include "io/samples/value_rank.hpp"
#include "io/samples/value_statistics.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tuple>
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

template <class T> class Mapper {
public:
    Mapper(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps, const JobControl& control,
           const ValueStatistics* statistics)
        : grid_(values), values_(static_cast<const T*>(values.data)), width_(values.width), height_(values.height),
          choice_(choice), gaps_(gaps), control_(control), statistics_(statistics),
          highest_(maxLevelOf(levelTypeOf(values.type))), descends_(values.scale.slope < 0) {
        if (gaps.noData) {
            noData_ = sampleOf<T>(*gaps.noData);
        }
    }

    MappedLevels run(PixelType type) {
        const bool isKnown = statistics_ != nullptr && statistics_->isKnown();
        const bool countsAll = isKnown && !statistics_->countsParts();
        summary_ = countsAll ? ofAll(statistics_->summary<T>()) : summarise();
        usePlan(isKnown ? ofAll(statistics_->plan<T>()) : choosePlan());
        MappedLevels result;
        result.image = std::make_shared<Image>(type, width_, height_);
        Mask mask(width_, height_, true);
        std::atomic<std::uint64_t> clipped{0};
        std::atomic<std::uint64_t> invalid{0};
        const bool reachesBeyond =
            choice_.range == MappingChoice::Range::fixed ||
            (ranks_ == nullptr && !integers_ && (summary_.lowest < low_ || summary_.highest > high_));
        const bool countsPixels = summary_.invalid != 0 || reachesBeyond;
        const auto map = [&](const auto& levelOfSample) {
            dispatch(type, [&]<class L>(L) {
                L* levels = result.image->pixels<L>().data();
                forRows([&](std::uint32_t y) {
                    const T* row = values_ + std::size_t{y} * width_;
                    L* out = levels + std::size_t{y} * width_;
                    for (std::uint32_t x = 0; x < width_; ++x) {
                        out[x] = static_cast<L>(levelOfSample(row[x]));
                    }
                    std::uint64_t beyond = 0;
                    std::uint64_t gaps = 0;
                    for (std::uint32_t x = 0; countsPixels && x < width_; ++x) {
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
        };
        if (integers_ && !descends_ && std::is_integral_v<T> && summary_.invalid == 0) {
            // NOLINTBEGIN(bugprone-signed-char-misuse): the difference of both with their signs
            const auto low = static_cast<std::uint64_t>(low_);
            map([low](T sample) { return static_cast<std::uint64_t>(sample) - low; });
            // NOLINTEND(bugprone-signed-char-misuse)
        } else if (ranks_ != nullptr && summary_.invalid == 0) {
            map([ranks = ranks_](T sample) { return ranks->levelOf(sample); });
        } else if (!integers_ && summary_.invalid == 0) {
            map([this](T sample) { return levelInRange(sample); });
        } else {
            map([this](T sample) { return levelOf(sample); });
        }
        result.mapping = mapping(countsAll ? summary_.clipped : clipped.load());
        result.invalidPixels = invalid.load();
        if (result.invalidPixels != 0) {
            result.valid = std::make_shared<const Mask>(std::move(mask));
        }
        return result;
    }

    /// Adds the values to the statistics, for levels of 0.
    MappedLevels collect(PixelType type, ValueStatistics& statistics) {
        if (statistics.addsFacts()) {
            if (choice_.range == MappingChoice::Range::fixed) {
                setFixedRange();
            }
            DistinctValues<T> distinct;
            if (mayBeRanked() && !statistics.hasMany<T>()) {
                distinct = distinctValues(true);
            } else {
                distinct.setMany();
            }
            statistics.add<T>(grid_, choice_, summarise(), distinct);
        }
        if (const auto* visitor = statistics.visitor<T>(); visitor != nullptr && *visitor) {
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
        summary_ = ofAll(statistics_->summary<T>());
        if (summary_.finite + summary_.infinite == 0) {
            return std::nullopt;
        }
        usePlan(ofAll(statistics_->plan<T>()));
        const bool finite = summary_.finite != 0;
        T lowest = summary_.lowest;
        T highest = summary_.highest;
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kInfinity = std::numeric_limits<T>::infinity();
            lowest = summary_.negativeInfinity ? -kInfinity : finite ? lowest : kInfinity;
            highest = summary_.positiveInfinity ? kInfinity : finite ? highest : -kInfinity;
        }
        const auto [smallest, largest] = std::minmax({levelOf(lowest), levelOf(highest)});
        return LevelEnds{static_cast<std::uint16_t>(smallest), static_cast<std::uint16_t>(largest)};
    }

private:
    using Kind = typename LevelPlan<T>::Kind;

    template <class Fact> static const Fact& ofAll(const Fact* fact) {
        if (fact == nullptr) {
            throw std::logic_error("the type of values differs between parts of a picture");
        }
        return *fact;
    }

    [[nodiscard]] bool mayBeRanked() const {
        return choice_.range == MappingChoice::Range::automatic && !choice_.proportional &&
               !keepsType(choice_, grid_.storedType());
    }

    [[nodiscard]] LevelPlan<T> choosePlan() const {
        return chooseLevels<T>(
            choice_, grid_.storedType(), grid_.scale, summary_,
            [&] { return distinctValues(summary_.invalid != 0).values(); },
            [&]() -> std::optional<std::array<T, 2>> {
                if (choice_.range == MappingChoice::Range::automatic) {
                    std::vector<T> some = somePixels();
                    if (stayNear(some)) {
                        return std::nullopt;
                    }
                    if (const auto ends = usualQuantiles(std::move(some))) {
                        return ends;
                    }
                }
                return quantilesOf<T>([&](auto&& take) { visitParts(take); }, wantedQuantiles(choice_, grid_.scale),
                                      static_cast<std::array<QuantileCounts, 2>*>(nullptr),
                                      [&](const auto& smallest, const auto& largest) {
                                          return choice_.range == MappingChoice::Range::automatic &&
                                                 pollard::stayNear(summary_, smallest, largest);
                                      });
            });
    }

    /// Finite valid values of pixels at equal distances.
    [[nodiscard]] std::vector<T> somePixels() const {
        constexpr std::size_t kFewest = std::size_t{1} << 16;
        constexpr std::size_t kShare = 256;
        const std::size_t pixels = std::size_t{width_} * height_;
        const std::size_t stride = std::max<std::size_t>(1, pixels / std::max(kFewest, pixels / kShare));
        std::vector<T> some;
        for (std::size_t i = 0; i < pixels; i += stride) {
            if (isFinite(values_[i]) &&
                isValid(values_[i], static_cast<std::uint32_t>(i % width_), static_cast<std::uint32_t>(i / width_))) {
                some.push_back(values_[i]);
            }
        }
        return some;
    }

    /// Ranks of kUsualQuantiles among the finite valid values: the first from the smallest on, the second from the
    /// largest on.
    [[nodiscard]] std::array<std::uint64_t, 2> usualRanks() const {
        return {rankOfQuantile(kUsualQuantiles[0], summary_.finite),
                summary_.finite - 1 - rankOfQuantile(kUsualQuantiles[1], summary_.finite)};
    }

    /// Whether some of the pixels show that stayNear() is true: there are enough at or beyond the usual quantiles.
    [[nodiscard]] bool stayNear(std::vector<T>& some) const {
        const auto [below, above] = usualRanks();
        if (below + above >= some.size()) {
            return false;
        }
        const T low = valueAt(some, below, std::less<>());
        const T high = valueAt(some, above, std::greater<>());
        return pollard::stayNear(summary_, {summary_.lowest, high}, {low, summary_.highest});
    }

    /// The value with a rank in this order.
    template <class Less> static T valueAt(std::vector<T>& values, std::uint64_t rank, Less isBefore) {
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
        std::nth_element(values.begin(), place, values.end(), isBefore);
        return *place == T{} ? T{} : *place;
    }

    /// kUsualQuantiles by one pass over the pixels, which takes the values beyond the quantiles of some pixels. Nothing
    /// if these mislead.
    [[nodiscard]] std::optional<std::array<T, 2>> usualQuantiles(std::vector<T> some) const {
        struct Tails {
            std::array<std::vector<T>, 2> beyond;
            std::array<std::uint64_t, 2> equal{}; ///< to the inner end of the tail
        };
        if (some.empty()) {
            return std::nullopt;
        }
        const std::array<std::uint64_t, 2> ranks = usualRanks();
        const auto inner = [&](std::uint64_t rank) { // farther in than the quantile, almost surely
            constexpr double kDeviations = 8;
            const double share = static_cast<double>(rank) / static_cast<double>(summary_.finite);
            const double expected = share * static_cast<double>(some.size());
            return std::min<std::uint64_t>(
                some.size() - 1, static_cast<std::uint64_t>(expected + kDeviations * (std::sqrt(expected) + 2)));
        };
        const T low = valueAt(some, inner(ranks[0]), std::less<>());
        const T high = valueAt(some, inner(ranks[1]), std::greater<>());
        const std::size_t most = some.size();
        tbb::enumerable_thread_specific<Tails> parts;
        std::atomic<bool> isMany{false};
        forRows([&](std::uint32_t y) {
            Tails& part = parts.local();
            if (isMany.load(std::memory_order_relaxed) || part.beyond[0].size() + part.beyond[1].size() > most) {
                isMany.store(true, std::memory_order_relaxed);
                return;
            }
            const T* row = values_ + std::size_t{y} * width_;
            for (std::uint32_t x = 0; x < width_; ++x) {
                const T value = row[x];
                if ((value > low && value < high) || !isFinite(value) || !isValid(value, x, y)) {
                    continue;
                }
                part.equal[0] += value == low ? 1 : 0;
                part.equal[1] += value == high ? 1 : 0;
                if (value < low) {
                    part.beyond[0].push_back(value);
                }
                if (value > high) {
                    part.beyond[1].push_back(value);
                }
            }
        });
        Tails all;
        for (const Tails& part : parts) {
            for (const std::size_t end : {0U, 1U}) {
                all.beyond[end].insert(all.beyond[end].end(), part.beyond[end].begin(), part.beyond[end].end());
                all.equal[end] += part.equal[end];
            }
        }
        const auto isWithin = [&](std::size_t end) { return ranks[end] < all.beyond[end].size() + all.equal[end]; };
        if (isMany.load() || !isWithin(0) || !isWithin(1)) {
            return std::nullopt;
        }
        return std::array{ranks[0] < all.beyond[0].size() ? valueAt(all.beyond[0], ranks[0], std::less<>()) : low,
                          ranks[1] < all.beyond[1].size() ? valueAt(all.beyond[1], ranks[1], std::greater<>()) : high};
    }

    /// Of the valid pixels. @param mayHaveGaps whether a pixel may be none of them
    [[nodiscard]] DistinctValues<T> distinctValues(bool mayHaveGaps) const {
        tbb::enumerable_thread_specific<DistinctValues<T>> parts;
        std::atomic<bool> isMany{false};
        forRows([&](std::uint32_t y) {
            if (isMany.load(std::memory_order_relaxed)) {
                return;
            }
            DistinctValues<T>& part = parts.local();
            const T* row = values_ + std::size_t{y} * width_;
            for (std::uint32_t x = 0; x < width_; ++x) {
                if ((x == 0 || row[x] != row[x - 1] || gaps_.valid) && (!mayHaveGaps || isValid(row[x], x, y))) {
                    part.add(row[x]);
                }
            }
            if (part.isMany()) {
                isMany.store(true, std::memory_order_relaxed);
            }
        });
        DistinctValues<T> all;
        for (const DistinctValues<T>& part : parts) {
            all.add(part);
        }
        return all;
    }

    /// Passes on the finite valid values; zeros without their sign, because a range does not tell them apart.
    void visitRows(const std::function<void(std::span<const T>)>& visitor) const {
        visitParts([&](const auto& forEach) {
            std::vector<T> found;
            forEach([&](T value) { found.push_back(value == T{} ? T{} : value); });
            visitor(found);
        });
    }

    /// As quantilesOf() visits values.
    template <class Take> void visitParts(const Take& take) const {
        const std::size_t grain = std::max<std::size_t>(1, 16 * kPixelsAtOnce / width_);
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, height_, grain), [&](const auto& rows) {
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
    /// Of a finite value; floats beyond 2^53 do not count as such.
    [[nodiscard]] static bool isWhole(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kMost = static_cast<T>(1LL << 53);
            return value >= -kMost && value <= kMost && static_cast<T>(static_cast<std::int64_t>(value)) == value;
        } else {
            return true;
        }
    }

    [[nodiscard]] bool isValid(T value, std::uint32_t x, std::uint32_t y) const {
        return !isNan(value) && !(noData_ && isNoData(value, *noData_)) && (!gaps_.valid || gaps_.valid->test(x, y));
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
                sum.whole = sum.whole && isWhole(value);
            } else {
                ++sum.infinite;
                sum.negativeInfinity = sum.negativeInfinity || value < T{};
                sum.positiveInfinity = sum.positiveInfinity || value > T{};
            }
        }
    }

    void usePlan(const LevelPlan<T>& plan) {
        ranks_ = plan.ranks.get();
        if (plan.kind == Kind::fixed) {
            setFixedRange();
            return;
        }
        low_ = plan.low;
        high_ = plan.high;
        integers_ = plan.kind == Kind::whole;
        if (plan.kind == Kind::ranks) {
            plan_ = plan;
        } else if (plan.kind == Kind::range) {
            setRange();
        }
    }

    /// The range of the choice, whose ends need not be values of the type.
    void setFixedRange() {
        const Calibration& scale = grid_.scale;
        const auto [low, high] = std::minmax({scale.sampleOf(choice_.low), scale.sampleOf(choice_.high)});
        setRealRange(low, high);
    }

    /// Distance from the end of the smallest value; exact, because differences of 64-bit integers fit 64 unsigned bits.
    [[nodiscard]] std::uint64_t above(T sample) const {
        const T from = descends_ ? sample : low_;
        const T to = descends_ ? high_ : sample;
        if constexpr (std::is_floating_point_v<T>) {
            return static_cast<std::uint64_t>(static_cast<double>(to) - static_cast<double>(from));
        } else {
            return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
        }
    }

    void setRange() {
        if constexpr (std::is_floating_point_v<T>) {
            setRealRange(static_cast<double>(low_), static_cast<double>(high_));
        } else {
            step_ = low_ < high_ ? stepFor(static_cast<double>(above(descends_ ? low_ : high_)), 1) : 1;
        }
    }

    /// If the range overflows a double, it and all differences are halved.
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

    [[nodiscard]] std::uint32_t levelOf(T sample) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (isNan(sample)) {
                return 0;
            }
        }
        if (integers_) {
            // Values of invalid pixels may be outside.
            return sample < low_    ? (descends_ ? highest_ : 0)
                   : sample > high_ ? (descends_ ? 0 : highest_)
                                    : static_cast<std::uint32_t>(above(sample));
        }
        return ranks_ != nullptr ? ranks_->levelOf(sample) : levelInRange(sample);
    }

    [[nodiscard]] std::uint32_t levelInRange(T sample) const {
        if (!real_) {
            if (descends_ ? sample >= high_ : sample <= low_) {
                return 0;
            }
            return (descends_ ? sample < low_ : sample > high_) ? highest_
                                                                : nearest(static_cast<double>(above(sample)) / step_);
        }
        const auto number = static_cast<double>(sample);
        if (descends_ ? number >= realHigh_ : number <= realLow_) {
            return 0;
        }
        if (descends_ ? number < realLow_ : number > realHigh_) {
            return highest_;
        }
        const double distance =
            descends_ ? realHigh_ * factor_ - number * factor_ : number * factor_ - realLow_ * factor_;
        return nearest(distance / (step_ * factor_));
    }

    [[nodiscard]] std::uint32_t nearest(double level) const {
        return std::min(highest_, static_cast<std::uint32_t>(roundedHalfUp(level)));
    }

    /// Whether a valid, finite value is outside the range.
    [[nodiscard]] bool isBeyond(T value) const {
        if (integers_ || ranks_ != nullptr || !isFinite(value)) {
            return false;
        }
        if (!real_) {
            return value < low_ || value > high_;
        }
        const auto number = static_cast<double>(value);
        return number < realLow_ || number > realHigh_;
    }

    [[nodiscard]] ValueMapping mapping(std::uint64_t clipped) const {
        const Calibration& scale = grid_.scale;
        ValueMapping mapping;
        mapping.nan = summary_.nan;
        mapping.infinite = summary_.infinite;
        mapping.clipped = clipped;
        if (summary_.finite != 0) {
            std::tie(mapping.minimum, mapping.maximum) =
                std::minmax({scale.valueOf(static_cast<double>(summary_.lowest)),
                             scale.valueOf(static_cast<double>(summary_.highest))});
        }
        const T first = descends_ ? high_ : low_;
        const double slope = std::abs(scale.slope);
        mapping.offset = choice_.range == MappingChoice::Range::fixed ? choice_.low
                         : real_                                      ? scale.valueOf(descends_ ? realHigh_ : realLow_)
                                                                      : scale.valueOf(static_cast<double>(first));
        mapping.step = integers_ ? slope : step_ * slope;
        mapping.file = {grid_.storedType(), scale.slope, scale.intercept, {}};
        if (integers_) {
            mapping.file.first = bitsOfSample(first);
        }
        const bool isConstant = summary_.finite == 0 || summary_.lowest == summary_.highest;
        const bool areApart = integers_ || (std::is_integral_v<T> && step_ <= 1);
        mapping.exact = clipped == 0 && summary_.infinite == 0 && (isConstant || areApart);
        if (ranks_ != nullptr) {
            mapping.ranks = ranks_->values();
            mapping.exact = true;
            const auto gaps = static_cast<double>(std::max<std::size_t>(2, mapping.ranks->values.size()) - 1);
            const double ends[] = {scale.valueOf(static_cast<double>(low_)), scale.valueOf(static_cast<double>(high_))};
            mapping.offset = std::min(ends[0], ends[1]);
            mapping.step = std::max(std::abs(ends[1] / gaps - ends[0] / gaps), std::numeric_limits<double>::min());
        }
        return mapping;
    }

    ValueGrid grid_;
    const T* values_;
    std::uint32_t width_;
    std::uint32_t height_;
    MappingChoice choice_;
    const ValueGaps& gaps_;
    const JobControl& control_;
    const ValueStatistics* statistics_; ///< null if there are none
    std::optional<T> noData_;
    ValueSummary<T> summary_;
    std::uint32_t highest_; ///< highest level
    bool descends_;         ///< values descend with samples
    LevelPlan<T> plan_;     ///< holds the ranks
    const RankTable<T>* ranks_ = nullptr;
    bool integers_ = false; ///< levels are distances of samples
    bool real_ = false;     ///< range is realLow_..realHigh_, otherwise low_..high_
    T low_{};
    T high_{};
    double realLow_ = 0;
    double realHigh_ = 0;
    double factor_ = 1;
    double step_ = 1;
};

/// The values of samples.
struct ScaledValues {
    explicit ScaledValues(const ValueGrid& samples)
        : values(std::size_t{samples.width} * samples.height), grid{ValueType::f64, values.data(), samples.width,
                                                                    samples.height} {
        dispatch(samples.type, [&]<class T>(T) {
            const T* const from = static_cast<const T*>(samples.data);
            std::transform(from, from + values.size(), values.begin(),
                           [&](T sample) { return samples.scale.valueOf(static_cast<double>(sample)); });
        });
    }

    Buffer<double> values;
    ValueGrid grid;
};

/// collectValues() for one type. @returns the number of passes
template <class T>
int collectAs(ValueStatistics& statistics, const MappingChoice& choice, const std::function<void(int)>& pass) {
    using Range = MappingChoice::Range;
    const ValueType type = *statistics.type();
    const ValueType stored = statistics.stored().value_or(type);
    const Calibration scale = statistics.scale();
    int passes = 0;
    const auto visit = [&](auto&& take) {
        statistics.setVisitor<T>([&](std::span<const T> values) {
            take([&](auto&& each) { std::for_each(values.begin(), values.end(), each); });
        });
        statistics.beginPass(passes == 0);
        pass(passes++);
    };
    const auto plan = [&](const auto& quantiles) {
        return chooseLevels<T>(
            choice, stored, scale, *statistics.summary<T>(), [&] { return statistics.distinct<T>()->values(); },
            quantiles);
    };
    std::optional<std::array<T, 2>> found;
    std::array<QuantileCounts, 2> counts;
    if (mayNeedQuantiles(choice, stored)) {
        const auto isEnough = [&](const auto& smallest, const auto& largest) {
            bool needsQuantiles = false;
            const auto noteNeed = [&] {
                needsQuantiles =
                    choice.range == Range::percentile || !stayNear(*statistics.summary<T>(), smallest, largest);
                return std::optional(std::array<T, 2>{});
            };
            if (!statistics.isMixed()) {
                (void)plan(noteNeed);
            }
            return !needsQuantiles;
        };
        found = quantilesOf<T>(visit, wantedQuantiles(choice, scale), &counts, isEnough);
    } else {
        statistics.setVisitor<T>({});
        statistics.beginPass(true);
        pass(passes++);
    }
    if (statistics.isMixed()) {
        return passes;
    }
    LevelPlan<T> chosen = plan([&] { return found; });
    const bool areEnds =
        chosen.kind == LevelPlan<T>::Kind::range && found && chosen.low == (*found)[0] && chosen.high == (*found)[1];
    const std::uint64_t clipped = areEnds ? counts[0].below + counts[1].above : statistics.summary<T>()->clipped;
    statistics.setPlan(std::move(chosen), clipped);
    statistics.finish();
    return passes;
}

} // namespace

std::size_t bytesOf(ValueType type) noexcept {
    return dispatch(type, []<class T>(T) { return sizeof(T); });
}

PixelType levelTypeOf(ValueType type) noexcept { return bytesOf(type) == 1 ? PixelType::u8 : PixelType::u16; }

MappedLevels levelsOfValues(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps,
                            const JobControl& control, ValueStatistics* statistics) {
    checkMapping(choice);
    control.throwIfStopped();
    if (statistics != nullptr && statistics->usesValues() &&
        !(values.type == ValueType::f64 && values.scale.isIdentity())) {
        ValueGaps ofValues = gaps;
        if (gaps.noData) {
            ofValues.noData = values.scale.valueOf(gaps.noData->number);
        }
        return levelsOfValues(ScaledValues(values).grid, choice, ofValues, control, statistics);
    }
    MappedLevels mapped = dispatch(values.type, [&]<class T>(T) {
        Mapper<T> mapper(values, choice, gaps, control, statistics);
        const PixelType type = levelTypeOf(values.type);
        return statistics != nullptr && statistics->isCollecting() ? mapper.collect(type, *statistics)
                                                                   : mapper.run(type);
    });
    if (statistics == nullptr || !statistics->isCollecting()) {
        KeptValues::keep(mapped.image, values, mapped.mapping);
    }
    return mapped;
}

int passesOver(ValueType type, const MappingChoice& choice) noexcept {
    return mayNeedQuantiles(choice, type) ? static_cast<int>(std::max<std::size_t>(1, bytesOf(type) / 2)) : 1;
}

int collectValues(ValueStatistics& statistics, const std::function<void()>& probe,
                  const std::function<void(int)>& pass) {
    statistics.beginPass(true);
    probe();
    if (!statistics.type()) {
        return 0;
    }
    const MappingChoice choice = statistics.choice();
    const int passes = dispatch(*statistics.type(), [&]<class T>(T) { return collectAs<T>(statistics, choice, pass); });
    if (!statistics.isMixed()) {
        return passes;
    }
    if (statistics.usesValues()) {
        throw std::logic_error("the type of values differs between parts of a picture");
    }
    statistics.useValues();
    return passes + collectValues(statistics, probe, pass);
}

std::optional<LevelEnds> levelEndsOf(const ValueStatistics& statistics) {
    const ValueType type = statistics.type().value();
    return dispatch(type, [&]<class T>(T) {
        return Mapper<T>({type, nullptr, 1, 1, statistics.scale(), statistics.stored()}, statistics.choice(), {}, {},
                         &statistics)
            .levelEnds();
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

} // namespace pollard

#pragma once

#include "image/value_mapping.hpp"
#include "io/samples/value_levels.hpp"
#include "io/samples/value_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

template <class T> [[nodiscard]] bool isNotANumber(T value) noexcept {
    return value != value; // NOLINT(misc-redundant-expression)
}

template <class T> [[nodiscard]] bool isFiniteValue(T value) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isfinite(value);
    } else {
        return true;
    }
}

/// Range and counts of values. T is one of the types of ValueType.
template <class T> struct ValueSummary {
    T lowest = std::numeric_limits<T>::max();     ///< finite and valid
    T highest = std::numeric_limits<T>::lowest(); ///< finite and valid
    std::uint64_t finite = 0;                     ///< finite and valid
    std::uint64_t infinite = 0;                   ///< valid
    std::uint64_t nan = 0;
    std::uint64_t invalid = 0;     ///< NaN, no-data value or not in the mask
    std::uint64_t clipped = 0;     ///< finite and valid, outside the range of a fixed mapping or of quantiles
    bool negativeInfinity = false; ///< valid
    bool positiveInfinity = false; ///< valid
    bool whole = true;             ///< finite valid values are whole numbers

    void add(const ValueSummary& other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
        finite += other.finite;
        infinite += other.infinite;
        nan += other.nan;
        invalid += other.invalid;
        clipped += other.clipped;
        negativeInfinity = negativeInfinity || other.negativeInfinity;
        positiveInfinity = positiveInfinity || other.positiveInfinity;
        whole = whole && other.whole;
    }
};

/// A hash table that numbers values from 1 on. Not for NaN; -0 counts as 0.
template <class T> class ValueTable {
public:
    /// Adds a value with the next number, unless the table has it.
    void add(T value) {
        const Key key = keyOf(value);
        Slot& slot = slots_[placeOf(key)];
        if (slot.number == 0) {
            slot = {key, ++size_};
            if (kSlotsPerValue * std::size_t{size_} > slots_.size()) {
                grow();
            }
        }
    }
    /// Number of a value; 0 if the table does not have it.
    [[nodiscard]] std::uint32_t numberOf(T value) const noexcept { return slots_[placeOf(keyOf(value))].number; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// In ascending order.
    [[nodiscard]] std::vector<T> values() const {
        std::vector<Key> keys;
        for (const Slot& slot : slots_) {
            if (slot.number != 0) {
                keys.push_back(slot.key);
            }
        }
        std::ranges::sort(keys);
        std::vector<T> values(keys.size());
        std::ranges::transform(keys, values.begin(), [](Key key) { return valueOfKey<T>(key); });
        return values;
    }

private:
    using Key = decltype(orderedKey(T{}));
    struct Slot {
        Key key = 0;
        std::uint32_t number = 0; ///< 0: free
    };

    static Key keyOf(T value) noexcept { return orderedKey(value == T{} ? T{} : value); }
    /// Index of the slot of a key, or of the free slot for it.
    [[nodiscard]] std::size_t placeOf(Key key) const noexcept {
        constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15ULL;
        std::size_t place = static_cast<std::size_t>(std::uint64_t{key} * kOdd >> shift_);
        while (slots_[place].number != 0 && slots_[place].key != key) {
            place = (place + 1) & (slots_.size() - 1);
        }
        return place;
    }
    void grow() {
        std::vector<Slot> old(4 * slots_.size());
        old.swap(slots_);
        shift_ -= 2;
        for (const Slot& slot : old) {
            if (slot.number != 0) {
                slots_[placeOf(slot.key)] = slot;
            }
        }
    }

    static constexpr int kFirstBits = 9;
    static constexpr std::size_t kSlotsPerValue = 8; ///< at least: a value is nearly always in its first place
    std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << kFirstBits);
    int shift_ = 64 - kFirstBits;
    std::uint32_t size_ = 0;
};

/// The different values of pixels, collected until there are more than levels.
template <class T> class DistinctValues {
public:
    void add(T value) {
        if (!isMany()) {
            table_.add(value);
        }
    }
    void add(const DistinctValues& other) {
        isMany_ = isMany_ || other.isMany();
        if (isMany()) {
            return;
        }
        for (const T value : other.table_.values()) {
            add(value);
        }
    }
    [[nodiscard]] bool isMany() const noexcept { return isMany_ || table_.size() > kMost; }
    void setMany() noexcept { isMany_ = true; }
    /// In ascending order; nothing if there are more than levels.
    [[nodiscard]] std::optional<std::vector<T>> values() const {
        return isMany() ? std::nullopt : std::optional(table_.values());
    }

private:
    static constexpr std::size_t kMost = 65536;
    ValueTable<T> table_;
    bool isMany_ = false;
};

/// Maps values to levels that are their ranks.
template <class T> class RankTable {
public:
    /// @param samples in ascending order, not empty
    RankTable(std::vector<T> samples, const Calibration& scale)
        : samples_(std::move(samples)), descends_(scale.slope < 0) {
        auto ranks = std::make_shared<RankedValues>();
        const auto add = [&](T sample) {
            table_.add(sample);
            ranks->values.push_back(scale.valueOf(static_cast<double>(sample)));
            ranks->samples.push_back(bitsOfSample(sample));
        };
        if (descends_) {
            std::for_each(samples_.rbegin(), samples_.rend(), add);
        } else {
            std::ranges::for_each(samples_, add);
        }
        ranks_ = std::move(ranks);
    }

    [[nodiscard]] const std::vector<T>& samples() const noexcept { return samples_; } ///< in ascending order
    [[nodiscard]] const std::shared_ptr<const RankedValues>& values() const noexcept { return ranks_; }
    /// Level of the sample; for a pixel without data, level of the nearest sample.
    [[nodiscard]] std::uint32_t levelOf(T sample) const noexcept {
        const std::uint32_t number = table_.numberOf(sample);
        return number != 0 ? number - 1 : nearest(sample);
    }

private:
    /// Level of the nearest sample.
    [[nodiscard]] std::uint32_t nearest(T sample) const noexcept {
        auto above = std::ranges::lower_bound(samples_, sample);
        if (above == samples_.end() ||
            (above != samples_.begin() && static_cast<double>(sample) - static_cast<double>(*std::prev(above)) <
                                              static_cast<double>(*above) - static_cast<double>(sample))) {
            --above;
        }
        return static_cast<std::uint32_t>(descends_ ? std::distance(above, samples_.end()) - 1
                                                    : std::distance(samples_.begin(), above));
    }

    std::vector<T> samples_;
    bool descends_;
    ValueTable<T> table_; ///< numbers are levels + 1
    std::shared_ptr<const RankedValues> ranks_;
};

/// How the samples of an image are mapped to levels.
template <class T> struct LevelPlan {
    enum class Kind : std::uint8_t {
        fixed, ///< by the range of the choice
        whole, ///< a level for each whole number from `low` to `high`
        ranks,
        range, ///< from `low` to `high`
    };
    Kind kind = Kind::fixed;
    T low{};
    T high{};
    std::shared_ptr<const RankTable<T>> ranks = {};
};

/// Quantiles that bound the range of the automatic choice if a value lies far beyond them.
inline constexpr std::array<double, 2> kUsualQuantiles{0.0001, 0.9999};

/// The quantiles of samples that a choice needs, if any.
[[nodiscard]] inline std::array<double, 2> wantedQuantiles(const MappingChoice& choice, const Calibration& scale) {
    if (choice.range != MappingChoice::Range::percentile) {
        return kUsualQuantiles;
    }
    const bool descends = scale.slope < 0;
    return {descends ? 1 - choice.high : choice.low, descends ? 1 - choice.low : choice.high};
}

/// Whether the smallest or largest value is farther from these quantiles than 16 times the distance between them, which
/// must not be 0.
template <class T> [[nodiscard]] bool reachFar(const ValueSummary<T>& all, T low, T high) noexcept {
    constexpr double kFar = 16;
    const auto between = [](T from, T to) { return 0.5 * static_cast<double>(to) - 0.5 * static_cast<double>(from); };
    const double most = kFar * between(low, high);
    return most > 0 && (between(high, all.highest) > most || between(all.lowest, low) > most);
}

/// Whether reachFar() is false for all quantiles between these ends.
template <class T> [[nodiscard]] bool stayNear(const ValueSummary<T>& all, const std::array<T, 2>& smallest,
                                               const std::array<T, 2>& largest) noexcept {
    // The narrowest distance has the widest gaps to the ends.
    const T low = std::clamp(largest[0], all.lowest, all.highest);
    const T high = std::clamp(smallest[1], all.lowest, all.highest);
    return low < high && !reachFar(all, low, high);
}

/// Whether the choice gives each value of the type a level.
[[nodiscard]] inline bool keepsType(const MappingChoice& choice, ValueType stored) noexcept {
    return choice.range == MappingChoice::Range::automatic && bytesOf(stored) <= 2;
}

/// Whether the choice may need quantiles of the values.
[[nodiscard]] inline bool mayNeedQuantiles(const MappingChoice& choice, ValueType stored) noexcept {
    return choice.range == MappingChoice::Range::percentile ||
           (choice.range == MappingChoice::Range::automatic && !keepsType(choice, stored));
}

/// Whether there are levels for all whole numbers of the range.
template <class T> [[nodiscard]] bool spansFew(T lowest, T highest) noexcept {
    constexpr std::uint64_t kMost = 65535;
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(highest) - static_cast<double>(lowest) <= static_cast<double>(kMost);
    } else {
        return static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) <= kMost;
    }
}

/// Decides how the values of an image are mapped to levels, see ValueMapping.
/// @param stored type of the samples of the file
/// @param distinct `distinct()` returns the different valid values in ascending order, or nothing if there are too many
/// @param quantiles `quantiles()` returns wantedQuantiles() of the finite valid samples, of which there is at least
/// one; nothing if stayNear() shows that the usual quantiles are not needed
template <class T, class Distinct, class Quantiles>
[[nodiscard]] LevelPlan<T> chooseLevels(const MappingChoice& choice, ValueType stored, const Calibration& scale,
                                        const ValueSummary<T>& all, const Distinct& distinct,
                                        const Quantiles& quantiles) {
    using Range = MappingChoice::Range;
    using Kind = typename LevelPlan<T>::Kind;
    LevelPlan<T> wholeRange{Kind::range, all.lowest, all.highest};
    LevelPlan<T> wholeNumbers{Kind::whole, all.lowest, all.highest};
    if (choice.range == Range::fixed) {
        return {};
    }
    if (keepsType(choice, stored)) {
        return dispatch(stored, []<class S>(S) {
            return LevelPlan<T>{Kind::whole, static_cast<T>(std::numeric_limits<S>::lowest()),
                                static_cast<T>(std::numeric_limits<S>::max())};
        });
    }
    if (all.finite == 0) {
        return {Kind::range};
    }
    if (choice.range == Range::minMax) {
        return wholeRange;
    }
    if (choice.range == Range::percentile) {
        const std::array<T, 2> ends = quantiles().value();
        return {Kind::range, ends[0], ends[1]};
    }
    const bool haveLevels = all.whole && spansFew(all.lowest, all.highest);
    if (all.infinite == 0 && (haveLevels || all.lowest == all.highest)) {
        return haveLevels ? wholeNumbers : wholeRange;
    }
    if (!choice.proportional) {
        if (std::optional<std::vector<T>> values = distinct()) {
            return {Kind::ranks, all.lowest, all.highest,
                    std::make_shared<const RankTable<T>>(std::move(*values), scale)};
        }
    }
    if (haveLevels) {
        return wholeNumbers;
    }
    const std::optional<std::array<T, 2>> ends = quantiles();
    return ends && reachFar(all, (*ends)[0], (*ends)[1]) ? LevelPlan<T>{Kind::range, (*ends)[0], (*ends)[1]}
                                                         : wholeRange;
}

/// Maps the samples of an image to levels, by a LevelPlan or by the fixed range of a choice.
template <class T> class LevelMap {
public:
    /// @param samples type and scale of the image
    LevelMap(const ValueGrid& samples, const MappingChoice& choice)
        : scale_(samples.scale), stored_(samples.storedType()), choice_(choice),
          highest_(maxLevelOf(levelTypeOf(samples.type))), descends_(samples.scale.slope < 0) {}

    void use(const LevelPlan<T>& plan) {
        ranks_ = plan.ranks.get();
        if (plan.kind == LevelPlan<T>::Kind::fixed) {
            setFixedRange();
            return;
        }
        low_ = plan.low;
        high_ = plan.high;
        integers_ = plan.kind == LevelPlan<T>::Kind::whole;
        if (plan.kind == LevelPlan<T>::Kind::ranks) {
            plan_ = plan;
        } else if (plan.kind == LevelPlan<T>::Kind::range) {
            setRange();
        }
    }

    /// Maps the range of a fixed choice, whose ends need not be values of the type.
    void setFixedRange() {
        const auto [low, high] = std::minmax({scale_.sampleOf(choice_.low), scale_.sampleOf(choice_.high)});
        setRealRange(low, high);
    }

    /// Whether each whole number from low() on has a level.
    [[nodiscard]] bool hasWholeNumbers() const noexcept { return integers_; }
    [[nodiscard]] T low() const noexcept { return low_; }
    [[nodiscard]] bool descends() const noexcept { return descends_; } ///< values descend with samples
    /// The ranks that are the levels; null if levels are no ranks.
    [[nodiscard]] const RankTable<T>* ranks() const noexcept { return ranks_; }

    /// Level of a sample. NaN has level 0; samples without data may be outside of the range.
    [[nodiscard]] std::uint32_t levelOf(T sample) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (isNotANumber(sample)) {
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

    /// Level of a number in a range without ranks and without a level for each whole number.
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

    /// Whether a valid, finite value is outside the range.
    [[nodiscard]] bool isBeyond(T value) const {
        if (integers_ || ranks_ != nullptr || !isFiniteValue(value)) {
            return false;
        }
        if (!real_) {
            return value < low_ || value > high_;
        }
        const auto number = static_cast<double>(value);
        return number < realLow_ || number > realHigh_;
    }

    /// Whether isBeyond() is true for some finite valid values.
    [[nodiscard]] bool mayBeExceeded(const ValueSummary<T>& all) const {
        return choice_.range == MappingChoice::Range::fixed ||
               (ranks_ == nullptr && !integers_ && (all.lowest < low_ || all.highest > high_));
    }

    /// The mapping with facts about all values. @param clipped number of values beyond the range
    [[nodiscard]] ValueMapping mapping(const ValueSummary<T>& all, std::uint64_t clipped) const {
        ValueMapping mapping;
        mapping.nan = all.nan;
        mapping.infinite = all.infinite;
        mapping.clipped = clipped;
        if (all.finite != 0) {
            std::tie(mapping.minimum, mapping.maximum) = std::minmax(
                {scale_.valueOf(static_cast<double>(all.lowest)), scale_.valueOf(static_cast<double>(all.highest))});
        }
        const T first = descends_ ? high_ : low_;
        const double slope = std::abs(scale_.slope);
        mapping.offset = choice_.range == MappingChoice::Range::fixed ? choice_.low
                         : real_                                      ? scale_.valueOf(descends_ ? realHigh_ : realLow_)
                                                                      : scale_.valueOf(static_cast<double>(first));
        mapping.step = integers_ ? slope : step_ * slope;
        mapping.file = {stored_, scale_.slope, scale_.intercept, {}};
        if (integers_) {
            mapping.file.first = bitsOfSample(first);
        }
        const bool isConstant = all.finite == 0 || all.lowest == all.highest;
        const bool areApart = integers_ || (std::is_integral_v<T> && step_ <= 1);
        mapping.exact = clipped == 0 && all.infinite == 0 && (isConstant || areApart);
        if (ranks_ != nullptr) {
            mapping.ranks = ranks_->values();
            mapping.exact = true;
            const auto gaps = static_cast<double>(std::max<std::size_t>(2, mapping.ranks->values.size()) - 1);
            const double ends[] = {scale_.valueOf(static_cast<double>(low_)),
                                   scale_.valueOf(static_cast<double>(high_))};
            mapping.offset = std::min(ends[0], ends[1]);
            mapping.step = std::max(std::abs(ends[1] / gaps - ends[0] / gaps), std::numeric_limits<double>::min());
        }
        return mapping;
    }

private:
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

    /// Rounds a level >= 0 half up; at most the highest.
    [[nodiscard]] std::uint32_t nearest(double level) const {
        constexpr double kHalf = 0.5;
        return std::min(highest_, static_cast<std::uint32_t>(static_cast<std::uint64_t>(level + kHalf)));
    }

    Calibration scale_;
    ValueType stored_;
    MappingChoice choice_;
    std::uint32_t highest_; ///< highest level
    bool descends_;
    LevelPlan<T> plan_; ///< holds the ranks
    const RankTable<T>* ranks_ = nullptr;
    bool integers_ = false; ///< levels are distances of samples
    bool real_ = false;     ///< the range is realLow_..realHigh_, else low_..high_
    T low_{};
    T high_{};
    double realLow_ = 0;
    double realHigh_ = 0;
    double factor_ = 1;
    double step_ = 1;
};

} // namespace pollard

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
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

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

/// Values with a number each, from 1 on: a hash table. Not for NaN; -0 is 0.
template <class T> class ValueTable {
public:
    /// Adds a value with the next number, unless it is there.
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
    /// 0 if the value is not there.
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
    /// Of the key, or the free one for it.
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

/// The different values of pixels, as long as each can have a level.
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

/// Levels that are the ranks of values.
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
    /// Level of the sample, or of the nearest one for a pixel without data.
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

/// How the samples of an image become levels.
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

/// Quantiles between which values become levels by the automatic choice, if a value lies far beyond them.
inline constexpr std::array<double, 2> kUsualQuantiles{0.0001, 0.9999};

/// The quantiles of samples that a choice needs, if any.
[[nodiscard]] inline std::array<double, 2> wantedQuantiles(const MappingChoice& choice, const Calibration& scale) {
    if (choice.range != MappingChoice::Range::percentile) {
        return kUsualQuantiles;
    }
    const bool descends = scale.slope < 0;
    return {descends ? 1 - choice.high : choice.low, descends ? 1 - choice.low : choice.high};
}

/// Whether an end of the values lies farther from these quantiles than 16 times their distance, which is not 0.
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

/// Whether each value of the type has a level by the choice.
[[nodiscard]] inline bool keepsType(const MappingChoice& choice, ValueType stored) noexcept {
    return choice.range == MappingChoice::Range::automatic && bytesOf(stored) <= 2;
}

/// Whether the choice may need quantiles of the values.
[[nodiscard]] inline bool mayNeedQuantiles(const MappingChoice& choice, ValueType stored) noexcept {
    return choice.range == MappingChoice::Range::percentile ||
           (choice.range == MappingChoice::Range::automatic && !keepsType(choice, stored));
}

/// Whether whole numbers of the range have a level each.
template <class T> [[nodiscard]] bool spansFew(T lowest, T highest) noexcept {
    constexpr std::uint64_t kMost = 65535;
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(highest) - static_cast<double>(lowest) <= static_cast<double>(kMost);
    } else {
        return static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) <= kMost;
    }
}

/// The one place that decides how the values of an image become levels, see ValueMapping.
/// @param stored type of the samples of the file
/// @param distinct `distinct()` gives the different valid values in ascending order, or nothing
/// @param quantiles `quantiles()` gives wantedQuantiles() of the finite valid samples, of which there are some; nothing
/// if stayNear() tells that the usual ones are not needed
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

} // namespace pollard

#pragma once

#include "image/value_mapping.hpp"
#include "io/samples/value_levels.hpp"

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

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
    }
};

/// Facts about the values of a picture that is read in regions. First they are collected in passes over all regions, in
/// which levelsOfValues() adds the values of a region and gives levels of 0; then it maps each region by the facts
/// about all. Without collected facts it maps a region by its own. Not for several threads at once.
class ValueStatistics {
public:
    /// Begins a pass over all regions. @param first whether facts are collected from the beginning
    void beginPass(bool first) {
        state_ = State::collecting;
        addsSummary_ = first;
        if (first) {
            type_.reset();
            summary_.reset();
            quantiles_.reset();
        }
    }
    /// Ends the passes: the facts are complete.
    void finish() { state_ = State::known; }
    /// Forgets all facts.
    void clear() { *this = {}; }

    [[nodiscard]] bool isCollecting() const noexcept { return state_ == State::collecting; }
    /// Whether the facts about all values are complete; false, too, if there were no values.
    [[nodiscard]] bool isKnown() const noexcept { return state_ == State::known && type_.has_value(); }
    /// Type of the values that were added; unset if there were none, because levels are stored.
    [[nodiscard]] std::optional<ValueType> type() const noexcept { return type_; }
    /// The choice with which values were added, which a format may derive from that of the options.
    [[nodiscard]] const MappingChoice& choice() const noexcept { return choice_; }

    /// Null before values were added, and for another type than theirs.
    template <class T> [[nodiscard]] const ValueSummary<T>* summary() const {
        return std::any_cast<ValueSummary<T>>(&summary_);
    }

    /// Receives the finite valid values of regions in the following passes, from any thread.
    template <class T> void setVisitor(std::function<void(std::span<const T>)> visitor) {
        visitor_ = std::move(visitor);
    }
    template <class T> [[nodiscard]] const std::function<void(std::span<const T>)>* visitor() const {
        return std::any_cast<std::function<void(std::span<const T>)>>(&visitor_);
    }

    /// Sets the quantiles of the choice, and how many finite valid values are beyond them.
    template <class T> void setQuantiles(T low, T high, std::uint64_t clipped) {
        quantiles_ = std::pair<T, T>(low, high);
        if (auto* summary = std::any_cast<ValueSummary<T>>(&summary_)) {
            summary->clipped = clipped;
        }
    }
    template <class T> [[nodiscard]] std::pair<T, T> quantiles() const {
        return std::any_cast<std::pair<T, T>>(quantiles_);
    }

    /// Adds a region.
    template <class T> void add(ValueType type, const ValueSummary<T>& region, const MappingChoice& choice) {
        if (!addsSummary_) {
            return;
        }
        if (type_ && *type_ != type) {
            throw std::logic_error("the type of values differs between regions of a picture");
        }
        type_ = type;
        choice_ = choice;
        ValueSummary<T> sum = summary<T>() != nullptr ? *summary<T>() : ValueSummary<T>{};
        sum.add(region);
        summary_ = sum;
    }

private:
    enum class State : std::uint8_t { unused, collecting, known };

    State state_ = State::unused;
    bool addsSummary_ = true;
    std::optional<ValueType> type_;
    MappingChoice choice_;
    std::any summary_;
    std::any visitor_;
    std::any quantiles_;
};

/// Levels of valid pixels.
struct LevelEnds {
    std::uint16_t smallest = 0;
    std::uint16_t largest = 0;

    bool operator==(const LevelEnds&) const = default;
};

/// Levels of the smallest and the largest valid value, infinite ones included; nothing if none is valid.
/// @param statistics complete facts
[[nodiscard]] std::optional<LevelEnds> levelEndsOf(const ValueStatistics& statistics);
/// Number of values that are not valid. @param statistics complete facts
[[nodiscard]] std::uint64_t invalidValues(const ValueStatistics& statistics);

} // namespace pollard

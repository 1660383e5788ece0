#pragma once

#include "image/value_mapping.hpp"
#include "io/samples/level_choice.hpp"
#include "io/samples/value_levels.hpp"

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <utility>

namespace pollard {

/// Facts about all values of an image that is read in parts: regions or slices. While collectValues() collects facts,
/// levelsOfValues() adds the values of a part and returns levels of 0; afterwards it maps each part by the facts about
/// the whole. Without collected facts it maps a part by its own values. Several threads may add parts.
class ValueStatistics {
public:
    /// Begins a pass over all parts. @param first whether facts are collected from the beginning
    void beginPass(bool first) {
        state_ = State::collecting;
        addsFacts_ = first;
        if (first) {
            type_.reset();
            summary_.reset();
            distinct_.reset();
            plan_.reset();
            isMixed_ = false;
        }
    }
    /// Ends the passes: the facts are complete.
    void finish() {
        state_ = State::known;
        distinct_.reset();
        visitor_.reset();
    }
    /// Forgets all facts.
    void clear() { *this = {}; }
    /// Takes the values of samples, as f64, in place of the samples. Needed for parts with different scales.
    void useValues() noexcept { usesValues_ = true; }
    [[nodiscard]] bool usesValues() const noexcept { return usesValues_; }
    /// Gives each part the counts of its own values.
    void setCountsOfParts() noexcept { countsParts_ = true; }
    [[nodiscard]] bool countsParts() const noexcept { return countsParts_; }

    [[nodiscard]] bool isCollecting() const noexcept { return state_ == State::collecting; }
    /// Whether a pass collects facts; others pass values to the visitor only.
    [[nodiscard]] bool addsFacts() const noexcept { return addsFacts_; }
    /// Whether the facts about all values are complete; false, too, if there were no values.
    [[nodiscard]] bool isKnown() const noexcept { return state_ == State::known && type_.has_value(); }
    /// Whether parts that were added differ in type or scale. Their facts are incomplete.
    [[nodiscard]] bool isMixed() const noexcept { return isMixed_; }
    /// Type of the values that were added; unset if there were none, because levels are stored.
    [[nodiscard]] std::optional<ValueType> type() const noexcept { return type_; }
    /// The choice with which values were added; a format may derive it from the choice of the options.
    [[nodiscard]] const MappingChoice& choice() const noexcept { return choice_; }
    [[nodiscard]] const Calibration& scale() const noexcept { return scale_; }
    [[nodiscard]] const std::optional<ValueType>& stored() const noexcept { return stored_; } ///< as in ValueGrid

    /// Null before values were added, and for another type than theirs.
    template <class T> [[nodiscard]] const ValueSummary<T>* summary() const {
        return std::any_cast<ValueSummary<T>>(&summary_);
    }
    /// Whether more different values were added than there are levels.
    template <class T> [[nodiscard]] bool hasMany() const {
        const std::scoped_lock lock(*mutex_);
        const DistinctValues<T>* found = distinct<T>();
        return found != nullptr && found->isMany();
    }
    /// Null for another type, and after finish().
    template <class T> [[nodiscard]] const DistinctValues<T>* distinct() const {
        return std::any_cast<DistinctValues<T>>(&distinct_);
    }

    /// Receives the finite valid values of parts in the following passes, from any thread.
    template <class T> void setVisitor(std::function<void(std::span<const T>)> visitor) {
        visitor_ = std::move(visitor);
    }
    template <class T> [[nodiscard]] const std::function<void(std::span<const T>)>* visitor() const {
        return std::any_cast<std::function<void(std::span<const T>)>>(&visitor_);
    }

    /// Sets how all values become levels. @param clipped finite valid values beyond the range
    template <class T> void setPlan(LevelPlan<T> plan, std::uint64_t clipped) {
        plan_ = std::move(plan);
        if (auto* summary = std::any_cast<ValueSummary<T>>(&summary_)) {
            summary->clipped = clipped;
        }
    }
    template <class T> [[nodiscard]] const LevelPlan<T>* plan() const { return std::any_cast<LevelPlan<T>>(&plan_); }

    /// Adds a part. @param like has its type and scale
    template <class T> void add(const ValueGrid& like, const MappingChoice& choice, const ValueSummary<T>& summary,
                                const DistinctValues<T>& distinct) {
        const std::scoped_lock lock(*mutex_);
        if (type_ && (*type_ != like.type || scale_ != like.scale || stored_ != like.stored)) {
            isMixed_ = true;
            return;
        }
        if (!type_) {
            type_ = like.type;
            scale_ = like.scale;
            stored_ = like.stored;
            choice_ = choice;
            summary_ = ValueSummary<T>{};
            distinct_ = DistinctValues<T>{};
        }
        std::any_cast<ValueSummary<T>>(&summary_)->add(summary);
        std::any_cast<DistinctValues<T>>(&distinct_)->add(distinct);
    }

private:
    enum class State : std::uint8_t { unused, collecting, known };

    State state_ = State::unused;
    bool addsFacts_ = true;
    bool usesValues_ = false;
    bool countsParts_ = false;
    bool isMixed_ = false;
    std::optional<ValueType> type_;
    Calibration scale_;
    std::optional<ValueType> stored_;
    MappingChoice choice_;
    std::any summary_;
    std::any distinct_;
    std::any visitor_;
    std::any plan_;
    std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
};

/// Collects facts about all values of an image in passes over it. In each pass, levelsOfValues() is called with the
/// statistics for every part and gives levels of 0.
/// @param probe does so for any part, to find type and choice
/// @param pass receives the number of the pass, from 0
/// @returns the number of passes; 0 if the probe finds no values
int collectValues(ValueStatistics& statistics, const std::function<void()>& probe,
                  const std::function<void(int)>& pass);
/// The most passes that collectValues() makes, unless parts differ in type or scale.
[[nodiscard]] int passesOver(ValueType type, const MappingChoice& choice) noexcept;

/// Levels of valid pixels.
struct LevelEnds {
    std::uint16_t smallest = 0;
    std::uint16_t largest = 0;

    bool operator==(const LevelEnds&) const = default;
};

/// Levels of the smallest and the largest valid value, including infinite values; nothing if no value is valid.
/// @param statistics complete facts
[[nodiscard]] std::optional<LevelEnds> levelEndsOf(const ValueStatistics& statistics);
/// Number of values that are not valid. @param statistics complete facts
[[nodiscard]] std::uint64_t invalidValues(const ValueStatistics& statistics);

/// Complete facts about the values of an image, for another process that reads its regions.
[[nodiscard]] nlohmann::ordered_json jsonOf(const ValueStatistics& statistics);
/// @throws nlohmann::json::exception for JSON that jsonOf() does not write
void setStatistics(const nlohmann::json& json, ValueStatistics& statistics);

} // namespace pollard

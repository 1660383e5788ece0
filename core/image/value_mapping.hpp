#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Types of samples. Halves and other widths are widened first.
enum class ValueType : std::uint8_t { i8, i16, u32, i32, u64, i64, f32, f64, u8, u16 };

/// Calls @p function with a value-initialised value of the type, like dispatch(PixelType).
template <class Function> decltype(auto) dispatch(ValueType type, Function&& function) {
    switch (type) {
    case ValueType::u8:
        return function(std::uint8_t{});
    case ValueType::u16:
        return function(std::uint16_t{});
    case ValueType::i8:
        return function(std::int8_t{});
    case ValueType::i16:
        return function(std::int16_t{});
    case ValueType::u32:
        return function(std::uint32_t{});
    case ValueType::i32:
        return function(std::int32_t{});
    case ValueType::u64:
        return function(std::uint64_t{});
    case ValueType::i64:
        return function(std::int64_t{});
    case ValueType::f32:
        return function(float{});
    case ValueType::f64:
        break;
    }
    return function(double{});
}

/// How values other than unsigned 8- or 16-bit integers (signed, wider, floating-point) are mapped to levels.
struct MappingChoice {
    enum class Range {
        automatic,  ///< see ValueMapping
        minMax,     ///< smallest finite value to level 0, largest to the highest level
        percentile, ///< quantiles `low` and `high` (0..1) of the finite values; values beyond are clipped
        fixed,      ///< values `low` <= `high`; values beyond are clipped
    };
    Range range = Range::automatic;
    double low = 0;
    double high = 1;
    /// Whether equal distances of levels must be equal distances of values, so that no value becomes a rank.
    bool proportional = false;

    bool operator==(const MappingChoice&) const = default;
};

/// The values of levels that are ranks, in ascending order.
struct RankedValues {
    std::vector<double> values;         ///< value of each level; integers beyond 2^53 are rounded
    std::vector<std::uint64_t> samples; ///< bits of the sample of each level, in the low bytes

    bool operator==(const RankedValues&) const = default;
};

/// How samples become values: value = intercept + slope * sample, in a unit.
struct Calibration {
    double slope = 1; ///< not 0
    double intercept = 0;
    std::string unit = {}; ///< empty: none, or unknown

    /// Whether samples are values, in any unit.
    [[nodiscard]] bool isIdentity() const noexcept { return slope == 1 && intercept == 0; }
    [[nodiscard]] double valueOf(double sample) const noexcept {
        return isIdentity() ? sample : intercept + slope * sample;
    }
    [[nodiscard]] double sampleOf(double value) const noexcept {
        return isIdentity() ? value : (value - intercept) / slope;
    }

    bool operator==(const Calibration&) const = default;
};

/// The samples of a file: value = intercept + slope * sample.
struct FileSamples {
    ValueType type = ValueType::u16;
    double slope = 1; ///< not 0
    double intercept = 0;
    /// Bits of the sample of level 0, if samples are whole numbers with one level each. The next level has the next
    /// whole number, or the previous one if the slope is below 0.
    std::optional<std::uint64_t> first = {};

    bool operator==(const FileSamples&) const = default;
};

/// How the values of an image belong to its levels. A value is what a person reads: the sample of the file times a
/// slope plus an intercept, in a unit. Levels ascend with the values.
///
/// value = offset + step * level, rounded to the nearest level, half up; or the levels are the ranks of the values. The
/// automatic choice is exact for unsigned and signed 8-bit samples (8-bit levels), for 16-bit samples, for integers,
/// of any type, within a range of less than 65,536 (offset = the smallest), and for at most 65,536 different values
/// (ranks). Others map a range of the finite values to 65,536 levels, from the quantile .0001 to .9999 if an end lies
/// farther from these than 16 times their distance, else all.
struct ValueMapping {
    double offset = 0;
    double step = 1;                                ///< above 0
    bool exact = false;                             ///< different values have different levels
    double minimum = 0;                             ///< smallest finite value of the page; 0 if there is none
    double maximum = 0;                             ///< largest finite value
    std::uint64_t nan = 0;                          ///< NaN pixels; level 0 and not valid
    std::uint64_t infinite = 0;                     ///< infinite pixels; highest or lowest level
    std::uint64_t clipped = 0;                      ///< finite pixels beyond the range
    std::shared_ptr<const RankedValues> ranks = {}; ///< null: offset and step
    std::string unit = {};                          ///< of the values: "HU", "m", "K"; empty: none, or unknown
    FileSamples file = {};

    /// Value of a level, or of a place between two levels.
    [[nodiscard]] double valueOf(double level) const noexcept;
    /// The place of a value between levels, not rounded; beyond the levels if the value is beyond their values.
    [[nodiscard]] double levelOf(double value) const noexcept;
    /// Value of a distance of levels. Without ranks only.
    [[nodiscard]] double distanceOf(double levels) const noexcept { return step * levels; }
    /// Whether equal distances of levels are equal distances of values.
    [[nodiscard]] bool isProportional() const noexcept { return ranks == nullptr; }
    /// Whether a number is exactly a sample of floats that have ranks.
    [[nodiscard]] bool isSample(double value) const noexcept;
    /// Whether a value equals a bound, or, if the bound is no sample, rounds to the same text.
    [[nodiscard]] bool isBound(double value, double bound) const noexcept;
    /// The levels of the values from @p low to @p high, both included; nothing if no level has such a value. If a bound
    /// is no sample, a value that rounds to the same text is within it.
    [[nodiscard]] std::optional<std::pair<std::uint16_t, std::uint16_t>>
    levelsWithin(double low, double high, std::uint16_t lastLevel) const noexcept;
    /// Bits of the sample of a level, in the low bytes, as FileSamples::type.
    [[nodiscard]] std::uint64_t sampleOf(std::uint16_t level) const noexcept;
    /// Bits of the sample nearest to a value.
    [[nodiscard]] std::uint64_t nearestSample(double value) const noexcept;

    bool operator==(const ValueMapping& other) const noexcept;
};

/// Value of a level by an optional mapping: the level itself without one.
[[nodiscard]] inline double valueOf(const std::optional<ValueMapping>& mapping, double level) noexcept {
    return mapping ? mapping->valueOf(level) : level;
}
[[nodiscard]] inline double levelOf(const std::optional<ValueMapping>& mapping, double value) noexcept {
    return mapping ? mapping->levelOf(value) : value;
}
/// As ValueMapping::levelsWithin(), for levels that are values without a mapping.
[[nodiscard]] std::optional<std::pair<std::uint16_t, std::uint16_t>>
levelsWithin(const std::optional<ValueMapping>& mapping, double low, double high, std::uint16_t lastLevel) noexcept;
/// Unit of the values; empty: none, or unknown.
[[nodiscard]] inline std::string unitOf(const std::optional<ValueMapping>& mapping) {
    return mapping ? mapping->unit : std::string();
}

/// A sample of a type as its bits, in the low bytes.
template <class T> [[nodiscard]] std::uint64_t bitsOfSample(T sample) noexcept;
/// The number of a sample; integers beyond 2^53 are rounded.
[[nodiscard]] double numberOfSample(ValueType type, std::uint64_t bits) noexcept;

} // namespace pollard

#pragma once

#include <cstdint>

namespace pollard {

/// How values other than unsigned 8- or 16-bit integers (signed, wider, floating-point) are mapped to levels.
struct MappingChoice {
    enum class Range {
        automatic,  ///< exact where the type or the values allow it, else as minMax
        minMax,     ///< smallest finite value to level 0, largest to the highest level
        percentile, ///< quantiles `low` and `high` (0..1) of the finite values; values beyond are clipped
        fixed,      ///< values `low` <= `high`; values beyond are clipped
    };
    Range range = Range::automatic;
    double low = 0;
    double high = 1;

    bool operator==(const MappingChoice&) const = default;
};

/// The mapping used for a page: value = offset + step * level, rounded to the nearest level, half up.
///
/// The automatic choice is exact (step 1) for signed 8-bit values (offset -128, 8-bit levels), signed 16-bit ones
/// (offset -32768) and wider integers within a range of less than 65,536 (offset = the smallest); others map the range
/// of finite values to 65,536 levels.
struct ValueMapping {
    double offset = 0;
    double step = 1;
    bool exact = false;         ///< different values have different levels
    double minimum = 0;         ///< smallest finite value of the page; 0 if there is none
    double maximum = 0;         ///< largest finite value
    std::uint64_t nan = 0;      ///< NaN pixels; level 0 and not valid
    std::uint64_t infinite = 0; ///< infinite pixels; highest or lowest level
    std::uint64_t clipped = 0;  ///< finite pixels beyond the range

    [[nodiscard]] double valueOf(double level) const noexcept { return offset + step * level; }

    bool operator==(const ValueMapping&) const = default;
};

} // namespace pollard

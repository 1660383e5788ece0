#pragma once

#include <cstdint>

namespace pollard {

/// How values that are no unsigned 8- or 16-bit levels (signed, wider or floating-point ones) are to become levels.
struct MappingChoice {
    enum class Range {
        automatic,  ///< keep every integer apart where the type or the values allow, else as minMax
        minMax,     ///< smallest finite value becomes level 0, the largest becomes the highest level
        percentile, ///< the quantiles `low` and `high` (0..1) of the finite values do; what is beyond is clipped
        fixed,      ///< the values `low` and `high` do; what is beyond is clipped
    };
    Range range = Range::automatic;
    double low = 0;
    double high = 1;

    bool operator==(const MappingChoice&) const = default;
};

/// How the values of a page did become levels: value = offset + step * level. Between the levels the nearest one is
/// taken, half up.
///
/// The automatic choice is exact (step 1) for signed 8-bit values (offset -128, 8-bit levels), signed 16-bit ones
/// (offset -32768) and wider integers whose smallest and largest value lie less than 65,536 apart (offset = the
/// smallest); everything else is spread from its smallest to its largest finite value over 65,536 levels.
struct ValueMapping {
    double offset = 0;
    double step = 1;
    bool exact = false;         ///< no two different values share a level
    double minimum = 0;         ///< smallest finite value of the page; 0 if there is none
    double maximum = 0;         ///< largest finite value
    std::uint64_t nan = 0;      ///< pixels that are no number; level 0 and not valid
    std::uint64_t infinite = 0; ///< pixels that are +/- infinite; highest and lowest level
    std::uint64_t clipped = 0;  ///< finite pixels beyond the range

    [[nodiscard]] double valueOf(double level) const noexcept { return offset + step * level; }

    bool operator==(const ValueMapping&) const = default;
};

} // namespace pollard

#pragma once

#include "image/value_mapping.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Range of levels, both ends included.
struct LevelRange {
    std::uint16_t low = 0;
    std::uint16_t high = 0;

    bool operator==(const LevelRange&) const = default;
};

/// No level.
inline constexpr LevelRange kNoLevels{1, 0};

/// Bounds of the values of objects, both included; infinite where there is none.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::string unit = {}; ///< as Criterion::grey: empty for values of the image, their unit ("HU"), or kLevels

    bool operator==(const ValueBounds&) const = default;
};
/// "300 HU", "-200:300 HU", ":300": parseValueBounds() parses it to equal bounds.
[[nodiscard]] std::string boundsText(const ValueBounds& bounds);
/// Parses LO, LO:HI, :HI; the unit of the values, or "levels", may follow a bound. Nothing for another text.
/// @throws Error(invalidArgument) if isRoundedWhole()
[[nodiscard]] std::optional<ValueBounds> parseValueBounds(std::string_view text);

/// The levels within the bounds; kNoLevels if there is none.
/// @throws Error(invalidArgument) if the values of the image have another unit
[[nodiscard]] LevelRange levelsWithin(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                                      std::uint16_t lastLevel);
/// Why no level of any such image is within the bounds, "300: the values are 0 to 255"; empty if one may be.
[[nodiscard]] std::string boundsProblem(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                                        std::uint16_t lastLevel);

} // namespace pollard

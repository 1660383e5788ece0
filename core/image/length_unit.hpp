#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Unit of length for input. Areas use its square, except the hectare, which is itself an area.
enum class LengthUnit : std::uint8_t {
    pixel,
    nanometre,
    micrometre,
    millimetre,
    centimetre,
    metre,
    kilometre,
    hectare,
};
inline constexpr std::array kLengthUnits{LengthUnit::pixel,      LengthUnit::nanometre,  LengthUnit::micrometre,
                                         LengthUnit::millimetre, LengthUnit::centimetre, LengthUnit::metre,
                                         LengthUnit::kilometre,  LengthUnit::hectare};

/// How a quantity scales with the pixel size: the power of the length.
enum class Dimension : std::uint8_t { none, length, area, volume };
[[nodiscard]] constexpr int powerOf(Dimension dimension) noexcept { return static_cast<int>(dimension); }

/// "px", "um", "ha", "px2", "um2", "ha" and "px3", "um3": ASCII names for files and commands. The hectare has one name.
[[nodiscard]] std::string unitName(LengthUnit unit, Dimension dimension);
/// Symbol for display: "µm", "µm²", "µm³".
[[nodiscard]] std::string unitSymbol(LengthUnit unit, Dimension dimension);
/// "px, nm, um, mm, cm, m, km", or "px2, nm2, um2, mm2, cm2, m2, km2, ha", or "px3, nm3 ...".
[[nodiscard]] std::string unitNames(Dimension dimension);

/// A unit parsed from the start of a text.
struct UnitText {
    LengthUnit unit = LengthUnit::pixel;
    Dimension dimension = Dimension::length; ///< length, area or volume
    std::size_t bytes = 0;                   ///< length of the parsed text

    bool operator==(const UnitText&) const = default;
};

/// Parses nm, um (µm with either micro sign), mm, cm, m, km or px, each optionally followed by 2, ^2, ², 3, ^3 or ³, or
/// ha.
/// @return nothing if the text starts otherwise, or if a letter, digit or _ follows
[[nodiscard]] std::optional<UnitText> unitAtStart(std::string_view text) noexcept;

} // namespace pollard

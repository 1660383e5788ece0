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

/// How a quantity scales with the pixel size.
enum class Dimension : std::uint8_t { none, length, area };

/// "px", "um", "ha" and "px2", "um2", "ha": ASCII names for files and commands. The hectare has one name.
[[nodiscard]] std::string unitName(LengthUnit unit, Dimension dimension);
/// Symbol for display: "µm", "µm²".
[[nodiscard]] std::string unitSymbol(LengthUnit unit, Dimension dimension);
/// "px, nm, um, mm, cm, m, km", or "px2, nm2, um2, mm2, cm2, m2, km2, ha".
[[nodiscard]] std::string unitNames(Dimension dimension);

/// A unit parsed from the start of a text.
struct UnitText {
    LengthUnit unit = LengthUnit::pixel;
    Dimension dimension = Dimension::length; ///< length or area
    std::size_t bytes = 0;                   ///< length of the parsed text

    bool operator==(const UnitText&) const = default;
};

/// Parses nm, um (µm with either micro sign), mm, cm, m, km or px, each optionally followed by 2, ^2 or ², or ha.
/// @return nothing if the text starts otherwise, or if a letter, digit or _ follows
[[nodiscard]] std::optional<UnitText> unitAtStart(std::string_view text) noexcept;

} // namespace pollard

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// A unit of length that a person gives numbers in; areas are in its square, but for the hectare, which is an area.
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

/// How a quantity follows the size of a pixel.
enum class Dimension : std::uint8_t { none, length, area };

/// "px", "um", "ha" and "px2", "um2", "ha": the names in texts for programs. A hectare has one name.
[[nodiscard]] std::string unitName(LengthUnit unit, Dimension dimension);
/// The same for a person: "µm", "µm²".
[[nodiscard]] std::string unitSymbol(LengthUnit unit, Dimension dimension);
/// "px, nm, um, mm, cm, m, km", or "px2, nm2, um2, mm2, cm2, m2, km2, ha".
[[nodiscard]] std::string unitNames(Dimension dimension);

/// A unit at the start of a text.
struct UnitText {
    LengthUnit unit = LengthUnit::pixel;
    Dimension dimension = Dimension::length; ///< length or area
    std::size_t bytes = 0;                   ///< of the text

    bool operator==(const UnitText&) const = default;
};

/// Reads nm, um (µm with either micro sign), mm, cm, m, km, px, each alone or with 2, ^2 or ² behind it, and ha.
/// @return nothing if the text starts otherwise, or a letter, digit or _ follows
[[nodiscard]] std::optional<UnitText> unitAtStart(std::string_view text) noexcept;

} // namespace pollard

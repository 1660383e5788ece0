#include "image/length_unit.hpp"

namespace pollard {

namespace {

struct Spelling {
    std::string_view text;
    LengthUnit unit;
};

/// The first of each unit is the one written, in the order of the enumeration.
constexpr std::array kSpellings{
    Spelling{"px", LengthUnit::pixel},           Spelling{"nm", LengthUnit::nanometre},
    Spelling{"um", LengthUnit::micrometre},      Spelling{"mm", LengthUnit::millimetre},
    Spelling{"cm", LengthUnit::centimetre},      Spelling{"m", LengthUnit::metre},
    Spelling{"km", LengthUnit::kilometre},       Spelling{"ha", LengthUnit::hectare},
    Spelling{"\u00b5m", LengthUnit::micrometre}, Spelling{"\u03bcm", LengthUnit::micrometre},
};
struct PowerSign {
    std::string_view text;
    Dimension dimension;
};
constexpr std::array kPowers{PowerSign{"^2", Dimension::area},       PowerSign{"\u00b2", Dimension::area},
                             PowerSign{"2", Dimension::area},        PowerSign{"^3", Dimension::volume},
                             PowerSign{"\u00b3", Dimension::volume}, PowerSign{"3", Dimension::volume}};

bool continuesWord(std::string_view rest) noexcept {
    if (rest.empty()) {
        return false;
    }
    const char c = rest.front();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '^' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

} // namespace

std::string unitName(LengthUnit unit, Dimension dimension) {
    const bool hasPower = powerOf(dimension) > 1 && unit != LengthUnit::hectare;
    const std::string name(kSpellings[static_cast<std::size_t>(unit)].text);
    return hasPower ? name + std::to_string(powerOf(dimension)) : name;
}

std::string unitSymbol(LengthUnit unit, Dimension dimension) {
    const std::string symbol = unit == LengthUnit::micrometre ? "\u00b5m" : unitName(unit, Dimension::length);
    return powerOf(dimension) < 2 || unit == LengthUnit::hectare
               ? symbol
               : symbol + (dimension == Dimension::area ? "\u00b2" : "\u00b3");
}

std::string unitNames(Dimension dimension) {
    std::string names;
    for (const LengthUnit unit : kLengthUnits) {
        if (dimension == Dimension::area || unit != LengthUnit::hectare) {
            names += (names.empty() ? "" : ", ") + unitName(unit, dimension);
        }
    }
    return names;
}

std::optional<UnitText> unitAtStart(std::string_view text) noexcept {
    for (const Spelling& spelling : kSpellings) {
        if (!text.starts_with(spelling.text)) {
            continue;
        }
        const std::string_view rest = text.substr(spelling.text.size());
        if (!continuesWord(rest)) {
            const bool area = spelling.unit == LengthUnit::hectare;
            return UnitText{spelling.unit, area ? Dimension::area : Dimension::length, spelling.text.size()};
        }
        for (const PowerSign& power : kPowers) {
            if (spelling.unit != LengthUnit::hectare && rest.starts_with(power.text) &&
                !continuesWord(rest.substr(power.text.size()))) {
                return UnitText{spelling.unit, power.dimension, spelling.text.size() + power.text.size()};
            }
        }
    }
    return std::nullopt;
}

} // namespace pollard

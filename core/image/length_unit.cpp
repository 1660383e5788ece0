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
constexpr std::array<std::string_view, 3> kSquares{"^2", "\u00b2", "2"};

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
    std::string name(kSpellings[static_cast<std::size_t>(unit)].text);
    return dimension == Dimension::area && unit != LengthUnit::hectare ? name + '2' : name;
}

std::string unitSymbol(LengthUnit unit, Dimension dimension) {
    std::string symbol = unit == LengthUnit::micrometre ? "\u00b5m" : unitName(unit, Dimension::length);
    return dimension == Dimension::area && unit != LengthUnit::hectare ? symbol + "\u00b2" : symbol;
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
        for (const std::string_view square : kSquares) {
            if (spelling.unit != LengthUnit::hectare && rest.starts_with(square) &&
                !continuesWord(rest.substr(square.size()))) {
                return UnitText{spelling.unit, Dimension::area, spelling.text.size() + square.size()};
            }
        }
    }
    return std::nullopt;
}

} // namespace pollard

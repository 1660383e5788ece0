#include "components/best/best_rule.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "components/objects/object_features.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

namespace pollard {

BestChoice BestRule::choiceFor(const std::optional<PixelSize>& pixelSize, bool inVolume) const {
    BestChoice choice{size, strictness, marks};
    if (size) {
        choice.size = sizeInPixels(*size, unit, pixelSize, inVolume);
    }
    return choice;
}

bool parseBestSize(std::string_view text, bool inVolume, BestRule& rule) {
    text = trimmed(text, " ");
    double size = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc{} || !(size > 0 && size <= BestRule::kMostSize)) {
        return false;
    }
    const std::string_view rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())), " ");
    const std::optional<UnitText> unit = unitAtStart(rest);
    const Dimension dimension = inVolume ? Dimension::volume : Dimension::area;
    const bool hasUnit =
        unit && unit->bytes == rest.size() && unit->dimension == dimension && unit->unit != LengthUnit::hectare;
    if (!rest.empty() && !hasUnit) {
        return false;
    }
    rule.size = size;
    rule.unit = hasUnit ? unit->unit : LengthUnit::pixel;
    return true;
}

} // namespace pollard

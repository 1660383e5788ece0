#include "components/best/best_rule.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "components/best/best_weights.hpp"
#include "components/objects/object_features.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <system_error>

namespace pollard {

BestChoice BestRule::choiceFor(const std::optional<PixelSize>& pixelSize, bool inVolume) const {
    BestChoice choice{size, strictness, marks, weights};
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

std::optional<BestWeights> parseBestWeights(std::string_view text) {
    BestWeights weights;
    std::set<std::string_view> named;
    while (true) {
        const std::string_view part = text.substr(0, text.find(','));
        const std::size_t equals = part.find('=');
        const std::string_view name = trimmed(part.substr(0, equals));
        const auto known = std::ranges::find(kBestWeights, name, &BestWeightName::name);
        if (equals == std::string_view::npos || known == kBestWeights.end() || !named.insert(name).second) {
            return std::nullopt;
        }
        const std::string_view number = trimmed(part.substr(equals + 1));
        double& weight = weights.*known->weight;
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), weight);
        if (problem != std::errc{} || end != number.data() + number.size() ||
            !(std::abs(weight) <= BestWeights::kMost)) {
            return std::nullopt;
        }
        if (part.size() == text.size()) {
            return weights;
        }
        text.remove_prefix(part.size() + 1);
    }
}

std::string bestWeightsText(const BestWeights& weights) {
    std::string text;
    for (const auto& [name, weight] : kBestWeights) {
        if (weights.*weight != BestWeights{}.*weight) {
            text += (text.empty() ? "" : ",") + std::string(name) + '=' + exactNumber(weights.*weight);
        }
    }
    return text;
}

} // namespace pollard

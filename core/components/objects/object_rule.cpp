#include "components/objects/object_rule.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "components/threshold.hpp"
#include "filter/filter_spec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

/// Shortest text of a number; integers have no exponent.
std::string shortest(double value) {
    constexpr double kExact = 0x1p53;
    if (std::abs(value) < kExact && value == std::trunc(value)) {
        return std::to_string(static_cast<std::int64_t>(value));
    }
    return exactNumber(value);
}

/// Parses a number and its optional unit, which must be @p unit unless that is empty.
std::optional<double> boundIn(std::string_view text, std::string& unit) {
    text = trimmed(text, " ");
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || !std::isfinite(value)) {
        return std::nullopt;
    }
    if (isRoundedWhole(text)) {
        throw Error(ErrorCode::invalidArgument,
                    "threshold: '" + std::string(text) + "': whole numbers beyond 2^53 would be rounded");
    }
    const std::string_view own = trimmed(text.substr(static_cast<std::size_t>(end - text.data())), " ");
    if (own.empty()) {
        return value;
    }
    const bool isWord = own.find_first_of("0123456789.:+-") != 0;
    if (!isWord || (!unit.empty() && unit != own)) {
        return std::nullopt;
    }
    unit = own;
    return value;
}

/// Converts bounds that are levels to values.
ValueBounds inValues(ValueBounds bounds, const std::optional<ValueMapping>& mapping) {
    if (bounds.unit == kLevels) {
        bounds.low = valueOf(mapping, bounds.low);
        bounds.high = valueOf(mapping, bounds.high);
        bounds.unit.clear();
    }
    return bounds;
}

} // namespace

std::string boundsText(const ValueBounds& bounds) {
    const bool isSingle = std::isinf(bounds.high) && !std::isinf(bounds.low);
    return (std::isinf(bounds.low) ? std::string() : shortest(bounds.low)) +
           (isSingle ? std::string() : ":" + (std::isinf(bounds.high) ? std::string() : shortest(bounds.high))) +
           (bounds.unit.empty() ? std::string() : ' ' + bounds.unit);
}

std::optional<ValueBounds> parseValueBounds(std::string_view text) {
    text = trimmed(text, " ");
    const std::size_t colon = text.find(':');
    ValueBounds bounds;
    if (colon != 0) {
        const auto low = boundIn(text.substr(0, colon), bounds.unit);
        if (!low) {
            return std::nullopt;
        }
        bounds.low = *low;
    }
    if (colon != std::string_view::npos && !trimmed(text.substr(colon + 1), " ").empty()) {
        const auto high = boundIn(text.substr(colon + 1), bounds.unit);
        if (!high) {
            return std::nullopt;
        }
        bounds.high = *high;
    }
    return bounds;
}

LevelRange levelsWithin(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                        std::uint16_t lastLevel) {
    if (const std::string unit = unitOf(mapping);
        !bounds.unit.empty() && bounds.unit != kLevels && bounds.unit != unit) {
        throw Error(ErrorCode::invalidArgument, "threshold: '" + boundsText(bounds) + "': the values of the image " +
                                                    (unit.empty() ? "have no unit" : "are in " + unit));
    }
    const std::optional<ValueMapping> none;
    const auto levels = levelsWithin(bounds.unit == kLevels ? none : mapping, bounds.low, bounds.high, lastLevel);
    return levels ? LevelRange{levels->first, levels->second} : kNoLevels;
}

std::string boundsProblem(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                          std::uint16_t lastLevel) {
    const double lowest = valueOf(mapping, 0);
    const double highest = valueOf(mapping, lastLevel);
    const ValueBounds asked = inValues(bounds, mapping);
    if ((asked.low <= highest && asked.high >= lowest) || levelsWithin(bounds, mapping, lastLevel) != kNoLevels) {
        return {};
    }
    const bool isMeasured = mapping && mapping->minimum < mapping->maximum;
    const double smallest = isMeasured ? mapping->minimum : lowest;
    const double largest = isMeasured ? mapping->maximum : highest;
    const std::string unit = unitOf(mapping).empty() ? std::string() : ' ' + unitOf(mapping);
    const std::string values = "the values are " + shortest(smallest) + " to " + shortest(largest) + unit;
    const bool isClipped = asked.low <= largest && asked.high >= smallest;
    return "'" + boundsText(bounds) + "': " + values +
           (isClipped ? ", those that are read end at " + shortest(lowest) + " and " + shortest(highest) + unit +
                            "; --range states others"
                      : std::string());
}

std::optional<ObjectRule::Conflict> ObjectRule::conflict() const noexcept {
    constexpr const char* kOneWay = "there is another way to find objects";
    constexpr const char* kOfThreshold = "is of objects of a threshold";
    const bool hasRegions = best || hierarchy || labels;
    const bool hasDistances =
        watershed && (watershed->relief == Relief::distance || watershed->seedRelief() == Relief::distance);
    const std::pair<bool, Conflict> all[] = {
        {watershed && best, {"watershed", kOneWay}},
        {hierarchy && (best || watershed), {"hierarchy", kOneWay}},
        {labels && (best || watershed || hierarchy), {"labels", kOneWay}},
        {above && !usesThreshold(), {"above_background", kOfThreshold}},
        {fillHoles && !usesThreshold(), {"fill_holes", kOfThreshold}},
        {split && (hasRegions || watershed), {"split", "is of objects of a threshold, without other regions"}},
        {best && isPlanar(connectivity) && connectivity != Connectivity::eight,
         {"connectivity", "the best components have 8 neighbours"}},
        {hasDistances && watershed->everywhere,
         {"watershed", "distances are to the background of a threshold, which 'everywhere' replaces"}}};
    const auto* const found = std::ranges::find_if(all, [](const auto& each) { return each.first; });
    return found == std::end(all) ? std::nullopt : std::optional(found->second);
}

bool ObjectRule::areDark(LevelRange range, PixelType type) const noexcept {
    return dark || (usesThreshold() && !method && !above && range.low == 0 && range.high < maxLevelOf(type));
}

LevelRange ObjectRule::levelsOf(const Image& image, const Mask* inside, const JobControl& control,
                                const std::optional<ValueMapping>& mapping) const {
    if (above || !usesThreshold()) {
        return {0, maxLevelOf(image.type())};
    }
    if (!method) {
        return values ? levelsWithin(*values, mapping, maxLevelOf(image.type())) : levels;
    }
    const std::uint16_t threshold = automaticThreshold(*method, image, inside, control, mapping);
    return dark ? LevelRange{0, static_cast<std::uint16_t>(threshold - 1)}
                : LevelRange{threshold, maxLevelOf(image.type())};
}

Mask ObjectRule::maskOf(const Image& image, LevelRange range, const Mask* inside, const JobControl& control,
                        const std::optional<ValueMapping>& mapping) const {
    Mask mask = above ? LocalBackground(image, inside, above->box, control, mapping)
                            .beyond(image, above->sigmas, dark, inside, control)
                      : thresholdMask(image, range.low, range.high, inside, control);
    if (fillHoles) {
        pollard::fillHoles(mask, inside, connectivity, control, image.extent().slices);
    }
    if (split) {
        return splitMask({mask, image.extent(), image.sides(), &image, areDark(range, image.type()), connectivity},
                         *split, control);
    }
    return mask;
}

std::optional<std::vector<double>> ObjectRule::fluxesOf(const Components& found, const Image& image, const Mask* inside,
                                                        const JobControl& control,
                                                        const std::optional<ValueMapping>& mapping) const {
    if (!above) {
        return std::nullopt;
    }
    return LocalBackground(image, inside, above->box, control, mapping)
        .fluxes(image, found.labels.span(), found.count, control);
}

} // namespace pollard

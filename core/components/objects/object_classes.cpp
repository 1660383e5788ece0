#include "components/objects/object_classes.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace pollard {

namespace {

constexpr std::array<std::uint32_t, 7> kUsualColours{0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442,
                                                     0x0072b2, 0xd55e00, 0xcc79a7};
constexpr std::size_t kColourLength = 7; ///< of "#rrggbb"

/// The last colon outside brackets, or npos.
std::size_t separatorIn(std::string_view text) {
    std::size_t found = std::string_view::npos;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        found = text[i] == ':' && depth == 0 ? i : found;
    }
    return found;
}

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

} // namespace

std::uint32_t usualClassColour(std::size_t index) noexcept { return kUsualColours[index % kUsualColours.size()]; }

std::string colourText(std::uint32_t colour) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4) {
        text += kDigits[colour >> static_cast<unsigned>(shift) & 0xfU];
    }
    return text;
}

std::optional<std::uint32_t> colourOf(std::string_view text) {
    std::uint32_t colour = 0;
    if (text.size() != kColourLength || text.front() != '#') {
        return std::nullopt;
    }
    const char* const end = text.data() + text.size();
    const auto [last, problem] = std::from_chars(text.data() + 1, end, colour, 16);
    return problem == std::errc{} && last == end ? std::optional(colour) : std::nullopt;
}

ObjectClass parseObjectClass(std::string_view text, std::size_t index, std::span<const ObjectFeatureInfo> features) {
    const std::size_t colon = separatorIn(text);
    ObjectClass parsed{std::string(text.substr(0, colon)), usualClassColour(index), {}};
    if (const std::size_t sign = parsed.name.rfind('=');
        sign != std::string::npos && parsed.name.substr(sign + 1, 1) == "#") {
        const std::string colour = parsed.name.substr(sign + 1);
        const auto stated = colourOf(colour);
        if (!stated) {
            throw Error(ErrorCode::invalidArgument, "'" + colour + "' is no colour such as #e69f00");
        }
        parsed.colour = *stated;
        parsed.name.resize(sign);
    }
    if (colon == std::string_view::npos || isBlank(parsed.name) || isBlank(text.substr(colon + 1))) {
        throw Error(ErrorCode::invalidArgument,
                    "'" + std::string(text) + "': must be NAME:CONDITION or NAME=#rrggbb:CONDITION");
    }
    parsed.condition = text.substr(colon + 1);
    (void)ObjectCondition::parse(parsed.condition, features);
    return parsed;
}

EdgeMeasure edgeMeasureOf(std::span<const ClassCondition> conditions) noexcept {
    EdgeMeasure needed = EdgeMeasure::none;
    for (const ClassCondition& one : conditions) {
        needed = std::max(needed, one.condition.edgeMeasure());
    }
    return needed;
}

std::vector<std::size_t> ClassifiedObjects::countsOf(std::span<const std::uint32_t> labels) const {
    std::vector<std::size_t> counts(classes.size() + 1, 0);
    for (const std::uint32_t label : labels) {
        const std::uint32_t number = numbers[label - 1];
        ++counts[number == 0 ? classes.size() : number - 1];
    }
    return counts;
}

ClassifiedObjects classifyObjects(const MeasuredObjects& objects, std::vector<ObjectClass> classes,
                                  std::span<const ClassCondition> conditions, const JobControl& control) {
    ClassifiedObjects found{std::move(classes), std::vector<std::uint32_t>(objects.size(), 0)};
    forEachIndex(
        objects.size(), control,
        [&](std::size_t i) {
            const auto label = static_cast<std::uint32_t>(i + 1);
            const auto first = std::ranges::find_if(
                conditions, [&](const ClassCondition& one) { return objects.holds(one.condition, label, one.side); });
            if (first != conditions.end()) {
                found.numbers[i] = static_cast<std::uint32_t>(first - conditions.begin() + 1);
            }
        },
        kObjectsPerTask);
    for (std::size_t i = 0; i < found.classes.size(); ++i) {
        for (const std::uint32_t number : found.classes[i].members) {
            if (const std::uint32_t label = objects.components().labelOf(number); label != 0) {
                found.numbers[label - 1] = static_cast<std::uint32_t>(i + 1);
            }
        }
    }
    return found;
}

ObjectColumn classColumn(std::shared_ptr<const ClassifiedObjects> objects) {
    ObjectColumn column;
    column.name = kClassColumn;
    column.valueOf = [objects](std::uint32_t label) {
        const std::uint32_t number = objects->numbers[label - 1];
        return number == 0 ? std::numeric_limits<double>::quiet_NaN() : number;
    };
    column.classes = std::move(objects);
    return column;
}

} // namespace pollard

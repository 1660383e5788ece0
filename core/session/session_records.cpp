#include "session/session_records.hpp"

#include "filter/filter_units.hpp"

#include <cctype>

namespace pollard::json {

namespace {

AttributeId attributeNamed(const std::string& name, const JsonPlace& place) {
    const auto found = findAttribute(name);
    if (!found) {
        place.fail(shownJson(name) + ": unknown attribute");
    }
    return *found;
}

std::optional<double> boundIn(const Read& json, const JsonPlace& place) {
    return json.is_null() ? std::nullopt : std::optional(numberIn(json, place));
}

void requireObject(const Read& json, const JsonPlace& place) {
    if (!json.is_object()) {
        place.fail(shownJson(json) + ": expected an object");
    }
}

bool startsAsAbsolute(const std::string& path) {
    const bool drive =
        path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' && path[2] == '/';
    return drive || (path.starts_with('/') && !path.starts_with("//"));
}

/// Whether no part of the path is empty, "." or "..", except for ".." at the start.
bool isNormal(const std::string& path) {
    bool atStart = true;
    for (std::size_t from = path.starts_with('/') ? 1 : 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('/', from), path.size());
        const std::string part = path.substr(from, to - from);
        atStart = atStart && part == "..";
        if (part.empty() || part == "." || (part == ".." && !atStart)) {
            return false;
        }
        from = to + 1;
    }
    return !atStart;
}

} // namespace

AttributeId attributeIn(const Read& json, const JsonPlace& place) {
    return attributeNamed(lineIn(json, place, Line{}.maxBytes), place);
}

std::string_view attributeName(AttributeId attribute) { return attributeInfo(attribute).name; }

Bounds boundsIn(const Read& json, const JsonPlace& place) {
    requireObject(json, place);
    Bounds bounds;
    for (const auto& [name, value] : json.items()) {
        const JsonPlace here = place.at(name);
        if (!value.is_array() || value.size() != 2) {
            here.fail(shownJson(value) + ": expected the smallest and the largest value, or null");
        }
        bounds[attributeNamed(name, here)] = {boundIn(value[0], here), boundIn(value[1], here)};
    }
    return bounds;
}

Written boundsOf(const Bounds& bounds) {
    Written json = Written::object();
    for (const auto& [attribute, each] : bounds) {
        json[std::string(attributeName(attribute))] = {orNull(Number{}).write(each.minimum),
                                                       orNull(Number{}).write(each.maximum)};
    }
    return json;
}

void readUnits(const Read& json, const JsonPlace& place, Bounds& bounds) {
    requireObject(json, place);
    for (const auto& [name, value] : json.items()) {
        const JsonPlace here = place.at(name);
        const AttributeId attribute = attributeNamed(name, here);
        const auto found = bounds.find(attribute);
        if (found == bounds.end()) {
            here.fail("there are no bounds of this attribute");
        }
        const std::string text = textIn(value, here);
        if (isGrey(attribute)) {
            found->second.grey = text;
            continue;
        }
        const auto unit = unitAtStart(text);
        const bool cubed = unit && unit->dimension == Dimension::volume;
        if (!unit || unit->bytes != text.size() || unit->dimension != dimensionOf(attribute, cubed)) {
            here.fail(shownJson(value) +
                      ": expected a unit of the attribute: um of a length, um2 or ha of an area, um3 of voxels");
        }
        found->second.unit = unit->unit;
        found->second.cubed = cubed;
    }
}

Written unitsOf(const Bounds& bounds) {
    Written json = Written::object();
    for (const auto& [attribute, each] : bounds) {
        if (!each.grey.empty()) {
            json[std::string(attributeName(attribute))] = each.grey;
        } else if (each.unit != LengthUnit::pixel) {
            json[std::string(attributeName(attribute))] = unitName(each.unit, dimensionOf(attribute, each.cubed));
        }
    }
    return json;
}

bool hasUnits(const CriterionEntry& criterion) {
    return std::ranges::any_of(criterion.chosen, [](const auto& entry) {
        return entry.second.unit != LengthUnit::pixel || !entry.second.grey.empty();
    });
}

std::optional<ThresholdMethod> sessionMethodIn(const Read& json, const JsonPlace& place) {
    (void)lineIn(json, place, Line{}.maxBytes);
    return methodIn(json, place);
}

std::uint32_t colourIn(const Read& json, const JsonPlace& place) {
    const auto colour = colourOf(lineIn(json, place, Line{}.maxBytes));
    if (!colour) {
        place.fail("expected a colour such as \"#e69f00\"");
    }
    return *colour;
}

void AscendingList::read(const Read& json, const JsonPlace& place, std::vector<std::uint32_t>& numbers) const {
    numbers = wholesIn(json, place, largest);
    if (!isAscending(numbers)) {
        place.fail("expected ascending numbers, each once");
    }
}

void Nodes::read(const Read& json, const JsonPlace& place, Contour& contour) const {
    const std::vector<std::uint32_t> numbers = wholesIn(listIn(json, place, 2 * kMostNodes), place, kMost);
    if (numbers.size() % 2 != 0 || numbers.size() < 6) {
        place.fail(std::to_string(numbers.size()) + " numbers; expected x, y of three nodes or more");
    }
    contour.reserve(numbers.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        contour.push_back({static_cast<std::int32_t>(numbers[i]), static_cast<std::int32_t>(numbers[i + 1])});
    }
}

Written Nodes::write(const Contour& contour) const {
    Written nodes = Written::array();
    for (const ContourNode& node : contour) {
        nodes.push_back(node.x);
        nodes.push_back(node.y);
    }
    return nodes;
}

void MaskIndex::read(const Read& json, const JsonPlace& place, std::uint32_t& index) const {
    if (masks == 0) {
        place.fail("there are no masks");
    }
    Whole{0, masks - 1}.read(json, place, index);
}

void Pair::read(const Read& json, const JsonPlace& place, SessionView& view) const {
    std::vector<double> numbers;
    listOf(Number{}, 2).read(json, place, numbers);
    if (numbers.size() != 2) {
        place.fail("expected two numbers");
    }
    view.*first = numbers[0];
    view.*second = numbers[1];
}

void requireRelative(const std::string& path, const Read& json, const JsonPlace& place) {
    if (!path.empty() && (startsAsAbsolute(path) || !isNormal(path))) {
        place.fail(shownJson(json) + ": expected a path from the folder of the session");
    }
}

void requireAbsolute(const std::string& path, const Read& json, const JsonPlace& place) {
    if (!startsAsAbsolute(path) || !isNormal(path) || path.starts_with("/../")) {
        place.fail(shownJson(json) + ": expected an absolute path");
    }
}

void requireLabels(const std::vector<std::uint32_t>& labels, const Read& /*json*/, const JsonPlace& place) {
    if (!labels.empty() && labels.front() == 0) {
        place.fail("0: objects are numbered from 1");
    }
}

} // namespace pollard::json

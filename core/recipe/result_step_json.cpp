#include "recipe/step_json.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

// The JSON forms of the steps that leave the picture as it is: objects and contours.
namespace pollard {

namespace {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json; // keys in the order in which they are written

constexpr std::array kPictures{StepPicture::result, StepPicture::original};
constexpr std::size_t kMostConditionBytes = 10'000;
constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kObjects = "objects";

constexpr auto kNameOf = [](auto value) { return nameOf(value); };

std::string_view pictureName(StepPicture picture) { return picture == StepPicture::result ? "result" : "original"; }

StepPicture pictureIn(JsonMembers& members) {
    const Json* const of = members.find("of");
    return of == nullptr ? StepPicture::result : namedIn(kPictures, pictureName, *of, members.at("of"));
}

template <class File> Written filesOf(const std::vector<File>& files) {
    Written names = Written::array();
    for (const File file : files) {
        names.push_back(nameOf(file));
    }
    return names;
}

/// The files of a step; @p files if they are left out.
template <class Kinds, class File> void takeFiles(JsonMembers& members, const Kinds& kinds, std::vector<File>& files) {
    const Json* const names = members.find("files");
    if (names == nullptr) {
        return;
    }
    const JsonPlace place = members.at("files");
    files.clear();
    for (const Json& name : listIn(*names, place, kinds.size())) {
        const File file = namedIn(kinds, kNameOf, name, place.at(files.size()));
        if (std::find(files.begin(), files.end(), file) != files.end()) {
            place.at(files.size()).fail(shownJson(name) + ": stands twice");
        }
        files.push_back(file);
    }
}

/// @param complete whether the member is known; else positions are px
GeoJsonIn geojsonIn(JsonMembers& members, bool complete) {
    const Json* const positions = complete ? members.find("geojson_in") : nullptr;
    return positions == nullptr ? GeoJsonIn::pixels
                                : namedIn(kGeoJsonIn, kNameOf, *positions, members.at("geojson_in"));
}

bool optionalFlagIn(JsonMembers& members, const char* key) {
    const Json* const flag = members.find(key);
    return flag != nullptr && flagIn(*flag, members.at(key));
}

ObjectRule ruleIn(JsonMembers& members) {
    ObjectRule rule = ObjectsStep{}.rule;
    const Json* const threshold = members.find("threshold");
    if (threshold != nullptr) {
        const bool byHand = *threshold == kByHand;
        rule.method = byHand ? std::nullopt
                             : std::optional(namedIn(kThresholdMethods, kNameOf, *threshold, members.at("threshold")));
    }
    if (const Json* dark = members.find("dark")) {
        rule.dark = flagIn(*dark, members.at("dark"));
        if (!rule.method) {
            members.at("dark").fail("levels by hand say it themselves");
        }
    }
    if (rule.method && members.find("levels") != nullptr) {
        members.at("levels").fail("the method finds them; they are for \"threshold\": \"hand\"");
    }
    if (!rule.method) {
        rule.levels = levelsIn(members.get("levels"), members.at("levels"));
    }
    rule.connectivity = connectivityIn(members, rule.connectivity);
    return rule;
}

std::string conditionIn(const Json& value, const JsonPlace& place) {
    std::string condition = lineIn(value, place, kMostConditionBytes);
    try {
        (void)ObjectCondition::parse(condition);
    } catch (const Error& error) {
        place.fail(error.what());
    }
    return condition;
}

LengthUnit unitIn(const Json& value, const JsonPlace& place) {
    constexpr std::array kUnits{LengthUnit::nanometre,  LengthUnit::micrometre, LengthUnit::millimetre,
                                LengthUnit::centimetre, LengthUnit::metre,      LengthUnit::kilometre};
    return namedIn(
        kUnits, [](LengthUnit unit) { return unitName(unit, Dimension::length); }, value, place);
}

ObjectFeature featureIn(const Json& value, const JsonPlace& place) {
    return namedIn(
               objectFeatures(), [](const ObjectFeatureInfo& info) { return info.id; }, value, place)
        .feature;
}

void takeRemoved(JsonMembers& members, ObjectsStep& step) {
    const Json* const count = members.find("count");
    const Json* const removed = members.find("removed");
    if ((count == nullptr) != (removed == nullptr)) {
        members.at("removed").fail("expected both 'count' and 'removed', or none");
    }
    if (removed == nullptr) {
        return;
    }
    step.count = static_cast<std::uint32_t>(wholeIn(*count, members.at("count"), 1, Image::kMaxPixels));
    const JsonPlace place = members.at("removed");
    step.removed = wholesIn(*removed, place, step.count);
    const bool rises =
        std::adjacent_find(step.removed.begin(), step.removed.end(), std::greater_equal<>()) == step.removed.end();
    if (step.removed.empty() || step.removed.front() == 0 || !rises) {
        place.fail("expected ascending numbers of objects from 1, each once");
    }
}

} // namespace

LevelRange levelsIn(const Json& value, const JsonPlace& place) {
    const std::vector<std::uint32_t> levels = wholesIn(value, place, std::numeric_limits<std::uint16_t>::max());
    if (levels.size() != 2 || levels[0] > levels[1]) {
        place.fail("expected the first and the last level");
    }
    return {static_cast<std::uint16_t>(levels[0]), static_cast<std::uint16_t>(levels[1])};
}

Written jsonOf(const ObjectsStep& step) {
    const ObjectRule& rule = step.rule;
    Written json{{"of", pictureName(step.of)}, {"threshold", rule.method ? nameOf(*rule.method) : kByHand}};
    if (rule.method) {
        json["dark"] = rule.dark;
    } else {
        json["levels"] = {rule.levels.low, rule.levels.high};
    }
    json["connectivity"] = static_cast<int>(rule.connectivity);
    if (rule.fillHoles) {
        json["fill_holes"] = true;
    }
    if (step.withoutBorder) {
        json["no_border"] = true;
    }
    json["condition"] = step.condition;
    if (step.unit == LengthUnit::pixel) {
        json["side"] = step.side;
    } else {
        json["unit"] = unitName(step.unit, Dimension::length);
    }
    json["order"] = objectFeatureInfo(step.order).id;
    json["descending"] = step.descending;
    if (!step.removed.empty()) {
        json["count"] = step.count;
        json["removed"] = step.removed;
    }
    json["files"] = filesOf(step.files);
    if (step.geojsonIn != GeoJsonIn::pixels) {
        json["geojson_in"] = nameOf(step.geojsonIn);
    }
    return json;
}

bool choosesPixels(const ObjectsStep& step) noexcept { return step.rule.fillHoles || step.withoutBorder; }

ObjectsStep objectsStepIn(JsonMembers& members, bool complete) {
    ObjectsStep step;
    step.of = pictureIn(members);
    step.rule = ruleIn(members);
    if (complete) {
        step.rule.fillHoles = optionalFlagIn(members, "fill_holes");
        step.withoutBorder = optionalFlagIn(members, "no_border");
    }
    if (const Json* condition = members.find("condition")) {
        step.condition = conditionIn(*condition, members.at("condition"));
    }
    if (const Json* side = members.find("side")) {
        step.side = numberIn(*side, members.at("side"));
        if (!(step.side > 0)) {
            members.at("side").fail(shownJson(*side) + ": expected a number above 0");
        }
    }
    if (const Json* unit = members.find("unit")) {
        if (members.find("side") != nullptr) {
            members.at("unit").fail("expected either 'side' or 'unit'");
        }
        step.unit = unitIn(*unit, members.at("unit"));
    }
    if (const Json* order = members.find("order")) {
        step.order = featureIn(*order, members.at("order"));
    }
    if (const Json* descending = members.find("descending")) {
        step.descending = flagIn(*descending, members.at("descending"));
    }
    takeRemoved(members, step);
    takeFiles(members, kObjectFiles, step.files);
    step.geojsonIn = geojsonIn(members, complete);
    return step;
}

Written jsonOf(const ContoursStep& step) {
    Written json{{"of", pictureName(step.of)}, {"starts", step.fromObjects ? Written(kObjects) : jsonOf(step.starts)}};
    json.update(jsonOf(step.spec));
    if (step.apart) {
        json["apart"] = *step.apart;
    }
    if (!step.forbidden.empty()) {
        json["forbidden"] = jsonOf(step.forbidden);
    }
    if (step.forbiddenPixels) {
        json["forbidden_pixels"] = jsonOf(*step.forbiddenPixels);
    }
    json["files"] = filesOf(step.files);
    if (step.geojsonIn != GeoJsonIn::pixels) {
        json["geojson_in"] = nameOf(step.geojsonIn);
    }
    return json;
}

ContoursStep contourStepIn(JsonMembers& members, bool complete) {
    ContoursStep step;
    step.of = pictureIn(members);
    const Json& starts = members.get("starts");
    step.fromObjects = starts == kObjects;
    if (!step.fromObjects) {
        const JsonPlace place = members.at("starts");
        if (!starts.is_array()) {
            place.fail(shownJson(starts) + ": expected a list of shapes, or \"objects\"");
        }
        step.starts = shapesIn(starts, place);
        if (step.starts.empty()) {
            place.fail("expected one at least");
        }
    }
    step.spec = snakeSpecIn(members);
    if (const Json* apart = members.find("apart")) {
        step.apart = static_cast<std::uint32_t>(wholeIn(*apart, members.at("apart"), 0, kMost));
    }
    if (const Json* forbidden = members.find("forbidden")) {
        step.forbidden = shapesIn(*forbidden, members.at("forbidden"));
    }
    if (const Json* pixels = members.find("forbidden_pixels")) {
        step.forbiddenPixels = storedMaskIn(*pixels, members.at("forbidden_pixels"));
    }
    takeFiles(members, kContourFiles, step.files);
    step.geojsonIn = geojsonIn(members, complete);
    return step;
}

} // namespace pollard

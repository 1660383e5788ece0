#include "recipe/recipe.hpp"

#include "components/object_places.hpp"
#include "components/objects/object_condition.hpp"
#include "filter/filter_spec.hpp"
#include "recipe/step_records.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace pollard {

namespace {

using Json = nlohmann::json;
using json::kStepIds;

constexpr std::size_t kMaxFileBytes = 16U << 20;
constexpr JsonLimits kLimits{8, std::uint64_t{256} << 20U};
constexpr std::size_t kMaxSteps = 100;
constexpr std::size_t kMostUnitBytes = 100;
constexpr const char* kKind = "recipe";

/// @throws Error(invalidArgument) for a version that is not one of 1 .. @p newest
int versionIn(const Json& value, const JsonPlace& place, int newest) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
        value.get<std::uint64_t>() <= static_cast<std::uint64_t>(newest)) {
        return value.get<int>();
    }
    place.fail(shownJson(value) + ": this program reads version 1" +
               (newest > 1 ? " to " + std::to_string(newest) : std::string()));
}

/// Steps have later versions for parts of an image, pixel sizes, channels by name and volumes, their slices,
/// transparency, selections by axes, axes and scenes, connectivities, numbers with units, outlines in degrees, values
/// of objects, measurements in channels, columns.
int newestVersion(const std::string& id) {
    return id == "read" ? json::kAxesRead : id == "objects" ? json::kColumnsObjects : id == "region" ? 1 : 2;
}

/// Makes numbers of grey without a unit ones in @p grey: kLevels, or a unit.
void setGrey(Recipe& recipe, std::string_view grey) {
    for (RecipeStep& step : recipe.steps) {
        if (auto* const filter = std::get_if<FilterStep>(&step)) {
            json::setGrey(filter->filter, grey);
        } else if (auto* const objects = std::get_if<ObjectsStep>(&step)) {
            if (grey == kLevels) {
                objects->conditionInLevels =
                    ObjectCondition::parse(objects->condition, objectFeatures(objects->rule.connectivity)).namesGrey();
            } else if (objects->rule.values && objects->rule.values->unit.empty()) {
                objects->rule.values->unit = grey;
            }
        }
    }
    for (RecipeChannel& channel : recipe.channels) {
        json::setGrey(channel.filter, grey);
    }
}

/// Parameters of objects that exclude or need each other.
void requireMatching(const Json& parameters, const JsonPlace& place) {
    if (parameters.contains("side") && parameters.contains("unit")) {
        place.at("unit").fail("expected either 'side' or 'unit'");
    }
    if (parameters.contains("count") != parameters.contains("removed")) {
        place.at("removed").fail("expected both 'count' and 'removed', or none");
    }
}

/// Columns that a table can have.
void requireColumns(const ObjectsStep& step, const JsonPlace& place) {
    for (std::size_t i = 0; i < step.columns.size(); ++i) {
        const std::string& column = step.columns[i];
        const bool isOfChannels = column.ends_with(']') && step.measure;
        const bool isFeature =
            findObjectFeature(column) || findObjectFeature(column, objectFeatures(Connectivity::six));
        if (!isFeature && !isOfChannels && !isPlaceColumn(column)) {
            place.at("columns").at(i).fail(
                shownJson(column) + (column.ends_with(']') ? ": is of a channel, which needs 'measure'"
                                                           : ": expected a feature, a place or a column of 'measure'"));
        }
    }
}

std::array<RecipeStep, kStepIds.size()> emptySteps() {
    std::array<RecipeStep, kStepIds.size()> steps{}; // the first reads
    steps[1].emplace<RegionStep>();
    steps[2].emplace<TreeStep>();
    steps[3].emplace<FilterStep>();
    steps[4].emplace<ObjectsStep>();
    steps[5].emplace<ContoursStep>();
    return steps;
}

RecipeStep stepIn(const Json& value, const JsonPlace& unnamed) {
    JsonMembers members(value, unnamed);
    const std::string id = textIn(members.get("id"), unnamed.at("id"));
    const JsonPlace place{kKind, unnamed.path + " (" + id + ")"};
    static const auto kSteps = emptySteps();
    RecipeStep step = *std::ranges::find(kSteps, namedIn(kStepIds, std::identity{}, id, unnamed.at("id")), idOf);
    const int version = versionIn(members.get("version"), place.at("version"), newestVersion(id));
    const Json& parameters = members.get("parameters");
    members.requireNoOthers();
    if (std::holds_alternative<ObjectsStep>(step)) {
        requireMatching(parameters, place);
    }
    std::visit([&](auto& each) { json::recordOf(each).known(version).read(parameters, place, each); }, step);
    const auto* const read = std::get_if<ReadStep>(&step);
    if (read != nullptr && version < json::kChannelRead && versionOf(step) == json::kChannelRead) {
        place.at("channel").fail(shownJson(parameters["channel"]) + ": names and expressions need version " +
                                 std::to_string(json::kChannelRead));
    }
    if (read != nullptr && version < json::kAxesRead && versionOf(step) == json::kAxesRead) {
        place.at("at").fail("scenes need version " + std::to_string(json::kAxesRead));
    }
    if (read != nullptr && read->slices && !read->volume) {
        place.at("slices").fail("are of a volume, which needs 'volume': true");
    }
    const auto* const objects = std::get_if<ObjectsStep>(&step);
    if (objects != nullptr) {
        requireColumns(*objects, place);
    }
    const bool isOfVolumes = objects != nullptr && !isPlanar(objects->rule.connectivity);
    if ((std::holds_alternative<TreeStep>(step) || isOfVolumes) && version < versionOf(step)) {
        place.at("connectivity")
            .fail(shownJson(parameters["connectivity"]) + ": 6, 18 and 26 need version " +
                  std::to_string(versionOf(step)));
    }
    return step;
}

JsonPlace placeOf(std::size_t step) { return {kKind, "step " + std::to_string(step + 1)}; }

/// Checks objects of a volume.
void requireForVolume(const ObjectsStep& step, const JsonPlace& place) {
    const Connectivity neighbours = correspondingConnectivity({1, 1, 2}, step.rule.connectivity);
    const std::span<const ObjectFeatureInfo> features = objectFeatures(neighbours);
    try {
        (void)ObjectCondition::parse(step.condition, features);
    } catch (const ConditionError& error) {
        place.at("condition").fail(error.what());
    }
    const std::string_view order = objectFeatureInfo(step.order).id;
    if (!findObjectFeature(order, features)) {
        place.at("order").fail(std::string(order) + ": is of pictures (volumes have " + featureIds(features) + ")");
    }
    if (step.rule.above) {
        place.at("above_background").fail("works on pictures, not on volumes");
    }
    if (step.side != 1) {
        place.at("side").fail("is of pictures; in a volume 'unit' states the unit of numbers without one");
    }
    if (step.measure && step.measure->ring > 0) {
        place.at("measure").at("ring").fail("is in a picture, not in a volume");
    }
    if (std::ranges::find(step.files, ObjectFile::vector) != step.files.end()) {
        place.at("files").fail(std::string(nameOf(ObjectFile::vector)) + ": a volume has no place on a map");
    }
}

void requireForVolume(const std::vector<RecipeStep>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (const auto* const objects = std::get_if<ObjectsStep>(&steps[i])) {
            requireForVolume(*objects, {kKind, placeOf(i).path + " (objects)"});
        }
    }
}

void requireOrder(const std::vector<RecipeStep>& steps) {
    bool gives = false;
    bool labelled = false;
    bool found = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const JsonPlace place{kKind, placeOf(i).path + " (" + std::string(idOf(steps[i])) + ")"};
        const auto* const contour = std::get_if<ContoursStep>(&steps[i]);
        const bool finds = std::holds_alternative<ObjectsStep>(steps[i]);
        if (labelled && !finds && contour == nullptr) {
            place.fail("follows labels, which are numbers of objects and no picture to work on");
        }
        if (std::holds_alternative<ReadStep>(steps[i]) && i > 0) {
            place.fail("only the first step can read");
        }
        if (const auto* filter = std::get_if<FilterStep>(&steps[i])) {
            gives = true;
            labelled = filter->filter.output == Output::labels;
        }
        if (contour != nullptr && contour->fromObjects && !found) {
            place.at("starts").fail("there is no step above it that finds objects");
        }
        found = found || finds;
        gives = gives || finds || contour != nullptr;
    }
    if (!gives) {
        JsonPlace{kKind, "steps"}.fail("there is no filter, and neither objects nor a contour");
    }
}

} // namespace

Recipe parseRecipe(std::string_view text) {
    const Json json = parseJson(text, kKind, kLimits);
    JsonMembers members(json, {kKind, {}});
    const int version = versionIn(members.get("pollard_recipe"), members.at("pollard_recipe"), json::kRecipeOfChannels);
    Recipe recipe;
    json::kRecipe.known(version).take(members, recipe);
    const bool inValues = json::takesValues(members);
    const Json* const unit = members.find(std::string(json::kGreyUnitKey));
    if (unit != nullptr && !inValues) {
        members.at(std::string(json::kGreyUnitKey)).fail("is of values, which need 'grey': \"values\"");
    }
    const Json& steps = members.get("steps");
    members.requireNoOthers();
    if (!steps.is_array() || steps.size() > kMaxSteps) {
        members.at("steps").fail("expected a list of at most " + std::to_string(kMaxSteps) + " steps");
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        recipe.steps.push_back(stepIn(steps[i], placeOf(i)));
    }
    setGrey(recipe, !inValues         ? std::string(kLevels)
                    : unit != nullptr ? lineIn(*unit, members.at(std::string(json::kGreyUnitKey)), kMostUnitBytes)
                                      : std::string());
    requireOrder(recipe.steps);
    if (readsVolume(recipe)) {
        if (!recipe.channels.empty()) {
            members.at("channels").fail("a volume is filtered in one channel");
        }
        requireForVolume(recipe.steps);
    }
    return recipe;
}

RecipeStep parseStep(std::string_view text) { return stepIn(parseJson(text, kKind, kLimits), {kKind, "step"}); }

Recipe loadRecipe(const std::filesystem::path& path) {
    const std::string text = readSmallFile(path, kKind, kMaxFileBytes);
    Recipe recipe;
    namingFile(path, kKind, [&] { recipe = parseRecipe(text); });
    return recipe;
}

} // namespace pollard

#include "recipe/recipe.hpp"

#include "base/error.hpp"
#include "components/object_places.hpp"
#include "components/objects/object_condition.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/step_records.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

/// Newest version of a step. New versions added parts of an image, pixel sizes, channels by name, volumes and their
/// slices, transparency, selections by axes, axes and scenes, connectivities, numbers with units, outlines in degrees,
/// values of objects, measurements in channels, columns, splitting, and regions.
int newestVersion(const std::string& id) {
    return id == "read"                         ? json::kAxesRead
           : id == "objects"                    ? json::kLabelObjects
           : id == "region" || id == "operator" ? 1
                                                : 2;
}

/// Gives numbers of grey without a unit the unit @p grey: kLevels, or a unit of values.
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

/// Checks parameters of objects that exclude or require each other.
void requireMatching(const Json& parameters, const JsonPlace& place) {
    if (parameters.contains("side") && parameters.contains("unit")) {
        place.at("unit").fail("expected either 'side' or 'unit'");
    }
    if (parameters.contains("count") != parameters.contains("removed")) {
        place.at("removed").fail("expected both 'count' and 'removed', or none");
    }
}

/// Checks that the table of a step can have its columns.
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
    steps[6].emplace<OperatorStep>();
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
        if (const auto conflict = objects->rule.conflict()) {
            place.at(conflict->setting).fail(conflict->why);
        }
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
        place.at("order").fail(std::string(order) + ": is of images (volumes have " + featureIds(features) + ")");
    }
    if (step.rule.above) {
        place.at("above_background").fail("works on images, not on volumes");
    }
    if (step.rule.best && neighbours != Connectivity::twentySix) {
        place.at("connectivity").fail("the best components of a volume have 26 neighbours");
    }
    if (step.side != 1) {
        place.at("side").fail("is of images; in a volume 'unit' states the unit of numbers without one");
    }
    if (step.measure && step.measure->ring > 0) {
        place.at("measure").at("ring").fail("is in an image, not in a volume");
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
            place.fail("follows labels, which are numbers of objects and no image to work on");
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
        gives = gives || finds || contour != nullptr || std::holds_alternative<OperatorStep>(steps[i]);
    }
    if (!gives) {
        JsonPlace{kKind, "steps"}.fail("there is no filter and no operator, and neither objects nor a contour");
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
    for (RecipeStep& step : recipe.steps) {
        if (auto* const made = std::get_if<OperatorStep>(&step); made != nullptr && !made->spec.marker.empty()) {
            made->spec.marker = (path.parent_path() / made->spec.marker).string(); // absolute paths stay
        }
    }
    return recipe;
}

namespace {

using OrderedJson = nlohmann::ordered_json; // keys in the order in which they are written

constexpr int kIndent = 2;

bool isReduced(const ReadStep& step) { return json::kRead.has(step, json::kReducedRead); }

ObjectCondition conditionOf(const ObjectsStep& step) {
    return ObjectCondition::parse(step.condition, objectFeatures(step.rule.connectivity));
}

/// Whether the condition or its numbers have a unit; version 1 has no units.
bool hasUnits(const ObjectsStep& step) {
    if (step.unit != LengthUnit::pixel) {
        return true;
    }
    try {
        return conditionOf(step).statesUnits();
    } catch (const Error&) { // parseRecipe() refuses it
        return false;
    }
}

/// Whether numbers of grey features in the condition are values.
bool conditionStatesValues(const ObjectsStep& step) {
    try {
        return !step.conditionInLevels && conditionOf(step).namesGrey();
    } catch (const Error&) { // parseRecipe() refuses it
        return false;
    }
}

/// The distinct units of numbers of grey that are values; unset if all numbers of grey are levels, or there are none.
std::optional<std::vector<std::string>> unitsOfValues(const Recipe& recipe) {
    std::optional<std::vector<std::string>> units;
    const auto add = [&](const std::string& unit) {
        if (!units) {
            units.emplace();
        }
        if (std::ranges::find(*units, unit) == units->end()) {
            units->push_back(unit);
        }
    };
    const auto addFilter = [&](const FilterSpec& filter) {
        forEachCriterion(filter, [&](const Criterion& criterion) {
            if (json::isGrey(criterion.attribute) && criterion.grey != kLevels) {
                add(criterion.grey);
            } else if (criterion.attribute == AttributeId::stability && criterion.grey != kLevels) {
                units = units ? units : std::vector<std::string>(); // the delta counts values
            }
        });
    };
    for (const RecipeStep& step : recipe.steps) {
        if (const auto* const filter = std::get_if<FilterStep>(&step)) {
            addFilter(filter->filter);
        } else if (const auto* const objects = std::get_if<ObjectsStep>(&step)) {
            if (objects->rule.values && objects->rule.values->unit != kLevels) {
                add(objects->rule.values->unit);
            }
            if (conditionStatesValues(*objects)) {
                units = units ? units : std::vector<std::string>();
            }
        }
    }
    for (const RecipeChannel& channel : recipe.channels) {
        addFilter(channel.filter);
    }
    return units;
}

/// Converts a recipe for a file whose numbers of grey are levels.
Recipe withoutLevels(Recipe recipe) {
    for (RecipeStep& step : recipe.steps) {
        if (auto* const filter = std::get_if<FilterStep>(&step)) {
            json::forgetLevels(filter->filter);
        } else if (auto* const objects = std::get_if<ObjectsStep>(&step)) {
            objects->conditionInLevels = false;
        }
    }
    for (RecipeChannel& channel : recipe.channels) {
        json::forgetLevels(channel.filter);
    }
    return recipe;
}

/// Leaves out level, part, shrinking and layout if all have their defaults.
OrderedJson parametersOf(const ReadStep& step) {
    return json::kRead.known(isReduced(step) || step.at ? json::kReducedRead : 1).write(step);
}
template <class Step> OrderedJson parametersOf(const Step& step) { return json::recordOf(step).write(step); }

OrderedJson jsonOf(const RecipeStep& step) {
    return {{"id", idOf(step)},
            {"version", versionOf(step)},
            {"parameters", std::visit([](const auto& each) { return parametersOf(each); }, step)}};
}

} // namespace

std::string_view idOf(const RecipeStep& step) noexcept { return json::kStepIds[step.index()]; }

int versionOf(const RecipeStep& step) {
    if (const auto* const read = std::get_if<ReadStep>(&step)) {
        return !read->axes.empty() || (read->at && read->at->scene != AxisPositions{}) ? json::kAxesRead
               : read->at                                                              ? json::kSelectingRead
               : read->ignoreAlpha                                                     ? json::kAlphaRead
               : read->slices                                                          ? json::kSlicesRead
               : read->volume                                                          ? json::kVolumeRead
               : read->channel.kind > ChannelChoice::Kind::sample                      ? json::kChannelRead
               : read->pixelSize                                                       ? json::kSizedRead
               : isReduced(*read)                                                      ? json::kReducedRead
                                                                                       : 1;
    }
    if (const auto* const tree = std::get_if<TreeStep>(&step)) {
        return tree->connectivity == Connectivity::four || tree->connectivity == Connectivity::eight ? 1 : 2;
    }
    if (const auto* const filter = std::get_if<FilterStep>(&step)) {
        return hasUnits(filter->filter) ? 2 : 1;
    }
    if (const auto* const objects = std::get_if<ObjectsStep>(&step)) {
        if (json::kObjects.has(*objects, json::kLabelObjects)) {
            return json::kLabelObjects;
        }
        if (json::kObjects.has(*objects, json::kRegionObjects)) {
            return json::kRegionObjects;
        }
        if (objects->rule.split) {
            return json::kSplitObjects;
        }
        if (!objects->columns.empty()) {
            return json::kColumnsObjects;
        }
        if (objects->measure || objects->rule.borderXy || !isPlanar(objects->rule.connectivity)) {
            return json::kMeasureObjects;
        }
        if (json::kObjects.has(*objects, json::kValuesObjects)) {
            return json::kValuesObjects;
        }
        return hasUnits(*objects) || json::kObjects.has(*objects, 2) ? 2 : 1;
    }
    const auto* const contour = std::get_if<ContoursStep>(&step);
    return contour != nullptr && json::kContour.has(*contour, 2) ? 2 : 1;
}

std::string toJson(const Recipe& recipe) {
    const std::optional<std::vector<std::string>> units = unitsOfValues(recipe);
    const Recipe written = units ? recipe : withoutLevels(recipe);
    OrderedJson steps = OrderedJson::array();
    for (const RecipeStep& step : written.steps) {
        steps.push_back(jsonOf(step));
    }
    OrderedJson json{{"pollard_recipe", recipe.channels.empty() ? 1 : json::kRecipeOfChannels}};
    json::kRecipe.put(json, written);
    if (units) {
        json[std::string(json::kGreyKey)] = json::kInValues;
        if (units->size() == 1 && !units->front().empty()) {
            json[std::string(json::kGreyUnitKey)] = units->front();
        }
    }
    json["steps"] = std::move(steps);
    return json.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

std::string stepText(const RecipeStep& step) { return readableText(jsonOf(step)); }

void saveRecipe(const Recipe& recipe, const std::filesystem::path& path) {
    const std::string text = toJson(recipe);
    static_cast<void>(parseRecipe(text)); // a recipe that cannot be read again is not written
    AtomicFile file(path, "write recipe");
    file.writeAll(text.data(), text.size());
    file.commit();
}

namespace {

/// Whether bounds of grey or of `stability` are levels of an evenly mapped image.
bool statesLevels(const FilterSpec& filter) noexcept {
    return anyCriterion(filter, [](const Criterion& each) { return each.grey == kLevels; });
}

/// Whether a rule states levels, or strengths and dynamics, which are distances of values.
bool statesLevels(const ObjectsStep& step) noexcept {
    const ObjectRule& rule = step.rule;
    const bool isThresholdInLevels = !rule.method && (!rule.values || rule.values->unit == kLevels);
    return step.conditionInLevels || rule.watershed || rule.hierarchy || (rule.usesThreshold() && isThresholdInLevels);
}

/// Whether a step uses distances of levels as distances of values, or states levels of the image. A filter of one
/// channel uses distances of values itself, see Session::filterRanks(); several channels have one type of sample.
bool needsDistances(const Recipe& recipe) noexcept {
    const bool ofChannels = !recipe.channels.empty();
    const bool inSteps = std::ranges::any_of(recipe.steps, [ofChannels](const RecipeStep& step) {
        const auto* const filter = std::get_if<FilterStep>(&step);
        const auto* const objects = std::get_if<ObjectsStep>(&step);
        const auto* const read = std::get_if<ReadStep>(&step);
        const auto* const made = std::get_if<OperatorStep>(&step);
        return (made != nullptr && needsProportional(made->spec.kind)) || std::holds_alternative<ContoursStep>(step) ||
               (read != nullptr && read->shrink > 1) || (objects != nullptr && statesLevels(*objects)) ||
               (filter != nullptr &&
                (statesLevels(filter->filter) || (ofChannels && needsProportional(filter->filter))));
    });
    const auto inChannel = [](const RecipeChannel& each) {
        return statesLevels(each.filter) || needsProportional(each.filter);
    };
    return inSteps || std::ranges::any_of(recipe.channels, inChannel);
}

} // namespace

const PageSelection* selectionOf(const Recipe& recipe) noexcept {
    const auto* const read = recipe.steps.empty() ? nullptr : std::get_if<ReadStep>(&recipe.steps.front());
    return read != nullptr && read->at ? &*read->at : nullptr;
}

namespace {

/// Returns the first step, which reads; adds it if there is none.
ReadStep& readStepOf(Recipe& recipe) {
    if (recipe.steps.empty() || !std::holds_alternative<ReadStep>(recipe.steps.front())) {
        recipe.steps.insert(recipe.steps.begin(), ReadStep{});
    }
    return std::get<ReadStep>(recipe.steps.front());
}

} // namespace

void setSelection(Recipe& recipe, const PageSelection& selection) {
    ReadStep& read = readStepOf(recipe);
    read.page = 0;
    read.channel = {};
    read.volume = false;
    read.slices.reset();
    read.at = selection;
}

void setAxes(Recipe& recipe, const std::string& axes) { readStepOf(recipe).axes = axes; }

bool readsVolume(const Recipe& recipe) noexcept {
    if (const PageSelection* const at = selectionOf(recipe)) {
        return at->z.kind == AxisPositions::Kind::volume;
    }
    const auto* const read = recipe.steps.empty() ? nullptr : std::get_if<ReadStep>(&recipe.steps.front());
    return read != nullptr && read->volume;
}

bool readsSeries(const Recipe& recipe) noexcept {
    const PageSelection* const at = selectionOf(recipe);
    return readsVolume(recipe) || (at != nullptr && at->z.kind != AxisPositions::Kind::unstated);
}

void requireImages(const Recipe& recipe, const char* work) {
    if (readsVolume(recipe)) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(work) + ": works on images, but the recipe '" + recipe.name + "' reads a volume");
    }
}

SelectedParts partsOf(const Recipe& recipe, const std::filesystem::path& file, ReadOptions options) {
    const PageSelection* const at = selectionOf(recipe);
    options.series = readsSeries(recipe);
    if (at == nullptr) {
        return {{{std::move(options), readsVolume(recipe), {}}}, {}};
    }
    ReadOptions facts = options;
    facts.channel = {ChannelChoice::Kind::sample, 0};
    const ImageInfo info = readImageInfo(file, facts);
    try {
        return partsOf(*at, info, options);
    } catch (const Error& error) {
        throw Error(error.code(), file.string() + ": " + error.what());
    }
}

ReadOptions readOptionsOf(const Recipe& recipe) {
    ReadOptions options;
    if (!recipe.steps.empty()) {
        if (const auto* read = std::get_if<ReadStep>(&recipe.steps.front())) {
            options.page = read->page;
            options.channel = read->channel;
            options.mapping = read->range;
            options.level = read->level;
            options.region = read->region;
            options.slices = read->slices;
            options.shrink = read->shrink;
            options.raw = read->raw;
            options.pixelSize = read->pixelSize;
            options.ignoreAlpha = read->ignoreAlpha;
            options.axes = read->axes;
        }
    }
    options.mapping.proportional = needsDistances(recipe);
    return options;
}

} // namespace pollard

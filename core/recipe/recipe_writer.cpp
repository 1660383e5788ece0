#include "recipe/recipe.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "filter/filter_units.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/step_records.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

using Json = nlohmann::ordered_json; // keys in the order in which they are written

constexpr int kIndent = 2;

bool isReduced(const ReadStep& step) { return json::kRead.has(step, json::kReducedRead); }

ObjectCondition conditionOf(const ObjectsStep& step) {
    return ObjectCondition::parse(step.condition, objectFeatures(step.rule.connectivity));
}

/// Whether the condition or its numbers have a unit, which the first version does not have.
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

/// The different units of the numbers of grey that are values; nothing if all of them are levels, or there are none.
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
        for (const Criterion& criterion : filter.criteria) {
            if (json::isGrey(criterion.attribute) && criterion.grey != kLevels) {
                add(criterion.grey);
            } else if (criterion.attribute == AttributeId::stability && criterion.grey != kLevels) {
                units = units ? units : std::vector<std::string>(); // the delta counts values
            }
        }
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

/// The recipe for a file whose numbers of grey are levels.
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

/// Without level, part, shrinking and layout where all have their default.
Json parametersOf(const ReadStep& step) {
    return json::kRead.known(isReduced(step) || step.at ? json::kReducedRead : 1).write(step);
}
template <class Step> Json parametersOf(const Step& step) { return json::recordOf(step).write(step); }

Json jsonOf(const RecipeStep& step) {
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
    Json steps = Json::array();
    for (const RecipeStep& step : written.steps) {
        steps.push_back(jsonOf(step));
    }
    Json json{{"pollard_recipe", recipe.channels.empty() ? 1 : json::kRecipeOfChannels}};
    json::kRecipe.put(json, written);
    if (units) {
        json[std::string(json::kGreyKey)] = json::kInValues;
        if (units->size() == 1 && !units->front().empty()) {
            json[std::string(json::kGreyUnitKey)] = units->front();
        }
    }
    json["steps"] = std::move(steps);
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
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

/// Whether bounds are levels of the image mapped evenly, of grey or of `stability`.
bool statesLevels(const FilterSpec& filter) noexcept {
    return std::ranges::any_of(filter.criteria, [](const Criterion& each) { return each.grey == kLevels; });
}

bool statesLevels(const ObjectsStep& step) noexcept {
    const ObjectRule& rule = step.rule;
    return step.conditionInLevels || (!rule.method && (!rule.values || rule.values->unit == kLevels));
}

/// Whether a step takes distances of levels for distances of values, or states levels of the image. Filters of one
/// channel take those of values themselves, see Session::filterRanks(); several channels have one type of sample.
bool needsDistances(const Recipe& recipe) noexcept {
    const bool ofChannels = !recipe.channels.empty();
    const bool inSteps = std::ranges::any_of(recipe.steps, [ofChannels](const RecipeStep& step) {
        const auto* const filter = std::get_if<FilterStep>(&step);
        const auto* const objects = std::get_if<ObjectsStep>(&step);
        const auto* const read = std::get_if<ReadStep>(&step);
        return std::holds_alternative<ContoursStep>(step) || (read != nullptr && read->shrink > 1) ||
               (objects != nullptr && statesLevels(*objects)) ||
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

/// The first step, which reads; a recipe without it gets one.
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
                    std::string(work) + ": works on pictures, but the recipe '" + recipe.name + "' reads a volume");
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

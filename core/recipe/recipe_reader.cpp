#include "recipe/recipe.hpp"

#include "base/error.hpp"
#include "recipe/step_json.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr int kRecipeVersion = 1;
constexpr std::size_t kMaxFileBytes = 16U << 20;
constexpr JsonLimits kLimits{8, std::uint64_t{256} << 20U};
constexpr std::size_t kMaxSteps = 100;
constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxDescriptionBytes = 2000;
constexpr const char* kKind = "recipe";
constexpr std::array kStepIds{"read", "region", "tree", "filter"};

constexpr auto kNameOf = [](auto value) { return nameOf(value); };

std::vector<Criterion> criteriaIn(const Json& value, const JsonPlace& place) {
    if (!value.is_array()) {
        place.fail(shownJson(value) + ": expected a list of texts such as \"area>=100\"");
    }
    std::vector<Criterion> criteria;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string text = textIn(value[i], place.at(i));
        try {
            criteria.push_back(parseCriterion(text));
        } catch (const Error& error) {
            place.at(i).fail(error.what());
        }
    }
    return criteria;
}

Prominent prominentIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    Prominent prominent;
    prominent.measure = namedIn(kAllProminences, kNameOf, members.get("measure"), place.at("measure"));
    prominent.count = static_cast<std::uint32_t>(
        wholeIn(members.get("count"), place.at("count"), 1, std::numeric_limits<std::uint32_t>::max()));
    members.requireNoOthers();
    return prominent;
}

FilterStep filterStepIn(JsonMembers& parameters) {
    FilterSpec spec;
    if (const Json* criteria = parameters.find("criteria")) {
        spec.criteria = criteriaIn(*criteria, parameters.at("criteria"));
    }
    if (const Json* match = parameters.find("match")) {
        spec.match = namedIn(kAllMatches, kNameOf, *match, parameters.at("match"));
    }
    if (const Json* rule = parameters.find("rule")) {
        spec.rule = namedIn(kAllRules, kNameOf, *rule, parameters.at("rule"));
    }
    if (const Json* output = parameters.find("output")) {
        spec.output = namedIn(kAllOutputs, kNameOf, *output, parameters.at("output"));
    }
    if (const Json* prominent = parameters.find("prominent")) {
        spec.prominent = prominentIn(*prominent, parameters.at("prominent"));
    }
    const auto pixels = [&parameters](const char* key) {
        const Json* const value = parameters.find(key);
        return value == nullptr ? std::vector<std::uint32_t>()
                                : wholesIn(*value, parameters.at(key), Image::kMaxPixels - 1);
    };
    spec.removed = pixels("removed");
    spec.kept = pixels("kept");
    spec.only = pixels("only");
    return {std::move(spec)};
}

/// @throws Error(invalidArgument) for a version that is not one of 1 .. @p newest
int versionIn(const Json& value, const JsonPlace& place, int newest) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
        value.get<std::uint64_t>() <= static_cast<std::uint64_t>(newest)) {
        return value.get<int>();
    }
    place.fail(shownJson(value) + ": this program knows version 1" +
               (newest > 1 ? " to " + std::to_string(newest) : std::string()));
}

RecipeStep stepIn(const Json& value, const JsonPlace& unnamed) {
    JsonMembers members(value, unnamed);
    const std::string id = textIn(members.get("id"), unnamed.at("id"));
    const JsonPlace place{kKind, unnamed.path + " (" + id + ")"};
    if (std::ranges::find(kStepIds, id) == kStepIds.end()) {
        std::string names;
        for (const std::string known : kStepIds) {
            names += (names.empty() ? "" : ", ") + known;
        }
        failUnknown(id, names, unnamed.at("id"));
    }
    const int version = versionIn(members.get("version"), place.at("version"), id == "read" ? 2 : 1);
    const Json& parameterObject = members.get("parameters");
    members.requireNoOthers();
    JsonMembers parameters(parameterObject, place);
    RecipeStep step;
    if (id == "read") {
        step = readStepIn(parameters, version > 1);
    } else if (id == "region") {
        step = regionStepIn(parameters);
    } else if (id == "tree") {
        step = treeStepIn(parameters);
    } else {
        step = filterStepIn(parameters);
    }
    parameters.requireNoOthers();
    return step;
}

JsonPlace placeOf(std::size_t step) { return {kKind, "step " + std::to_string(step + 1)}; }

void requireOrder(const std::vector<RecipeStep>& steps) {
    bool filtered = false;
    bool labelled = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const JsonPlace place{kKind, placeOf(i).path + " (" + std::string(idOf(steps[i])) + ")"};
        if (labelled) {
            place.fail("follows labels, which are numbers of objects and no picture to work on");
        }
        if (std::holds_alternative<ReadStep>(steps[i]) && i > 0) {
            place.fail("only the first step can read");
        }
        if (const auto* filter = std::get_if<FilterStep>(&steps[i])) {
            filtered = true;
            labelled = filter->filter.output == Output::labels;
        }
    }
    if (!filtered) {
        JsonPlace{kKind, "steps"}.fail("there is no filter");
    }
}

} // namespace

Recipe parseRecipe(std::string_view text) {
    const Json json = parseJson(text, kKind, kLimits);
    JsonMembers members(json, {kKind, {}});
    (void)versionIn(members.get("pollard_recipe"), members.at("pollard_recipe"), kRecipeVersion);
    Recipe recipe;
    recipe.name = lineIn(members.get("name"), members.at("name"), kMaxNameBytes);
    if (recipe.name.empty()) {
        members.at("name").fail("is empty");
    }
    if (const Json* description = members.find("description")) {
        recipe.description = lineIn(*description, members.at("description"), kMaxDescriptionBytes);
    }
    if (const Json* sample = members.find("sample")) {
        recipe.sample = lineIn(*sample, members.at("sample"), kMaxNameBytes);
        if (recipe.sample.find_first_of("/\\:") != std::string::npos || recipe.sample.starts_with('.')) {
            members.at("sample").fail(shownJson(*sample) + ": expected the name of a file without a folder");
        }
    }
    const Json& steps = members.get("steps");
    members.requireNoOthers();
    if (!steps.is_array() || steps.size() > kMaxSteps) {
        members.at("steps").fail("expected a list of at most " + std::to_string(kMaxSteps) + " steps");
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        recipe.steps.push_back(stepIn(steps[i], placeOf(i)));
    }
    requireOrder(recipe.steps);
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

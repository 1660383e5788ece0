#include "recipe/recipe.hpp"

#include <nlohmann/json.hpp>

namespace pollard {

namespace {

using Json = nlohmann::ordered_json; // keys in the order in which they are written

constexpr int kIndent = 2;

Json textOf(const ChannelChoice& channel) {
    if (channel.kind == ChannelChoice::Kind::luminance) {
        return "luminance";
    }
    switch (channel.sample) {
    case 0:
        return "red";
    case 1:
        return "green";
    case 2:
        return "blue";
    default:
        return std::to_string(channel.sample);
    }
}

Json jsonOf(const MappingChoice& choice) {
    switch (choice.range) {
    case MappingChoice::Range::minMax:
        return "minmax";
    case MappingChoice::Range::percentile:
        return {{"percentile", {choice.low, choice.high}}};
    case MappingChoice::Range::fixed:
        return {{"values", {choice.low, choice.high}}};
    case MappingChoice::Range::automatic:
        break;
    }
    return "auto";
}

Json parametersOf(const ReadStep& step) {
    return {{"page", step.page}, {"channel", textOf(step.channel)}, {"range", jsonOf(step.range)}};
}

Json parametersOf(const TreeStep& step) {
    return {{"kind", step.kind == TreeKind::max ? "max" : "min"},
            {"connectivity", static_cast<int>(step.connectivity)}};
}

Json parametersOf(const FilterStep& step) {
    const FilterSpec& spec = step.filter;
    Json criteria = Json::array();
    for (const Criterion& criterion : spec.criteria) {
        criteria.push_back(toString(criterion));
    }
    Json parameters{{"criteria", std::move(criteria)},
                    {"match", nameOf(spec.match)},
                    {"rule", nameOf(spec.rule)},
                    {"output", nameOf(spec.output)}};
    // Few recipes have these.
    if (spec.prominent) {
        parameters["prominent"] = {{"measure", nameOf(spec.prominent->measure)}, {"count", spec.prominent->count}};
    }
    if (!spec.removed.empty()) {
        parameters["removed"] = spec.removed;
    }
    if (!spec.kept.empty()) {
        parameters["kept"] = spec.kept;
    }
    if (!spec.only.empty()) {
        parameters["only"] = spec.only;
    }
    return parameters;
}

} // namespace

std::string_view idOf(const RecipeStep& step) noexcept {
    if (std::holds_alternative<ReadStep>(step)) {
        return "read";
    }
    return std::holds_alternative<TreeStep>(step) ? "tree" : "filter";
}

std::string toJson(const Recipe& recipe) {
    Json steps = Json::array();
    for (const RecipeStep& step : recipe.steps) {
        steps.push_back({{"id", idOf(step)},
                         {"version", 1},
                         {"parameters", std::visit([](const auto& each) { return parametersOf(each); }, step)}});
    }
    Json json{{"pollard_recipe", 1}, {"name", recipe.name}, {"description", recipe.description}};
    if (!recipe.sample.empty()) {
        json["sample"] = recipe.sample;
    }
    json["steps"] = std::move(steps);
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

ReadOptions readOptionsOf(const Recipe& recipe) {
    ReadOptions options;
    if (!recipe.steps.empty()) {
        if (const auto* read = std::get_if<ReadStep>(&recipe.steps.front())) {
            options.page = read->page;
            options.channel = read->channel;
            options.mapping = read->range;
        }
    }
    return options;
}

} // namespace pollard

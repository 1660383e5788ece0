#include "recipe/tracked_recipe.hpp"

#include "components/objects/object_edges.hpp"
#include "components/objects/object_list.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace pollard {

bool findsObjects(const Recipe& recipe) noexcept {
    return std::ranges::any_of(recipe.steps,
                               [](const RecipeStep& step) { return std::holds_alternative<ObjectsStep>(step); });
}

Recipe trackedRecipe(const Recipe& recipe, const ObjectRule& otherwise) {
    requireImages(recipe, "tracking");
    Recipe tracked{recipe.name, {}, {}, {}};
    ObjectsStep objects;
    objects.rule = otherwise;
    std::size_t end = recipe.steps.size();
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
        if (const auto* const found = std::get_if<ObjectsStep>(&recipe.steps[i])) {
            objects = *found;
            end = i;
        }
    }
    for (std::size_t i = 0; i < end; ++i) {
        const RecipeStep& step = recipe.steps[i];
        if (!std::holds_alternative<ObjectsStep>(step) && !std::holds_alternative<ContoursStep>(step)) {
            tracked.steps.push_back(step);
        }
    }
    objects.count = 0; // those taken out by hand are of one image
    objects.removed.clear();
    objects.measure.reset();
    tracked.steps.emplace_back(std::move(objects));
    return tracked;
}

Components trackedObjects(const Recipe& tracked, const LoadedImage& loaded, Engine& engine,
                          const SessionOptions& options, const std::stop_token& stop,
                          const JobControl::ProgressFunction& progress) {
    RecipeResult result = runRecipe(tracked, loaded, engine, options, stop, progress);
    ObjectsStepReport& found = result.objects.back();
    if (found.list.labels.size() < found.components.count) {
        keepObjects(
            found.components, [&list = found.list](std::uint32_t label) { return list.lists(label); },
            JobControl(stop));
    }
    return std::move(found.components);
}

} // namespace pollard

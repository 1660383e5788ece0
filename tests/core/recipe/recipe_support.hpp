#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "recipe/run_recipe.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace pollard::testing {

inline Engine& cpu() {
    static EngineRegistry registry{makeCpuEngine()};
    return registry.select("cpu");
}

inline LoadedImage loadedAs(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> valid = {}) {
    LoadedImage loaded;
    loaded.image = std::move(image);
    loaded.valid = std::move(valid);
    return loaded;
}

inline Recipe recipeOf(std::vector<RecipeStep> steps) { return {"test", "", "", std::move(steps)}; }

inline FilterSpec areaFilter(double smallest, Output output = Output::filtered) {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, smallest});
    spec.output = output;
    return spec;
}

} // namespace pollard::testing

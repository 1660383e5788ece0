#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "recipe/run_recipe.hpp"

#include <memory>
#include <string>
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

/// A recipe of one filter step with these parameters.
inline std::string filterWith(const std::string& parameters) {
    return R"({"pollard_recipe": 1, "name": "a", "steps": [{"id": "filter", "version": 1, "parameters": )" +
           parameters + "}]}";
}

inline std::string stepsOf(const std::string& steps) {
    return R"({"pollard_recipe": 1, "name": "a", "steps": [)" + steps + "]}";
}

inline constexpr const char* kFilter = R"({"id": "filter", "version": 1, "parameters": {}})";

} // namespace pollard::testing

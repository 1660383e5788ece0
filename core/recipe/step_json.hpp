#pragma once

#include "recipe/recipe.hpp"
#include "json/json_members.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

namespace pollard {

/// The JSON forms of steps that recipes and sessions have in common: the members of an object, and what they were.
/// What is left out has its default. Reading throws Error(invalidArgument) naming the place and the value.

inline constexpr std::size_t kMostShapes = 10'000;
inline constexpr std::size_t kMostCorners = 1'000'000; ///< of a shape

/// Versions of the step that reads: with level, part, shrinking and layout, and with a pixel size too.
inline constexpr int kReducedRead = 2;
inline constexpr int kSizedRead = 3;

/// Names of the steps, in the order of RecipeStep.
inline constexpr std::array<std::string_view, std::variant_size_v<RecipeStep>> kStepIds{"read",   "region",  "tree",
                                                                                        "filter", "objects", "contour"};

/// @param complete false leaves out level, part, shrinking and layout where all are the default
[[nodiscard]] nlohmann::ordered_json jsonOf(const ReadStep& step, bool complete);
[[nodiscard]] nlohmann::ordered_json jsonOf(const RegionStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const TreeStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const ObjectsStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const ContoursStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const std::vector<RegionShape>& shapes);
[[nodiscard]] nlohmann::ordered_json jsonOf(const SnakeSpec& spec);
[[nodiscard]] nlohmann::ordered_json jsonOf(const StoredMask& mask);
[[nodiscard]] nlohmann::ordered_json jsonOf(const FilterStep& step);

/// @param version of the step: which members are known
[[nodiscard]] ReadStep readStepIn(JsonMembers& members, int version);
[[nodiscard]] RegionStep regionStepIn(JsonMembers& members);
[[nodiscard]] TreeStep treeStepIn(JsonMembers& members);
/// @param complete whether the members of the second version are known
[[nodiscard]] ObjectsStep objectsStepIn(JsonMembers& members, bool complete);
[[nodiscard]] ContoursStep contourStepIn(JsonMembers& members, bool complete);
[[nodiscard]] std::vector<RegionShape> shapesIn(const nlohmann::json& value, const JsonPlace& place);
/// @param otherwise where it is left out
[[nodiscard]] Connectivity connectivityIn(JsonMembers& members, Connectivity otherwise);
/// Two levels, the first and the last.
[[nodiscard]] LevelRange levelsIn(const nlohmann::json& value, const JsonPlace& place);
/// Takes kSnakeKeys.
[[nodiscard]] SnakeSpec snakeSpecIn(JsonMembers& members);
[[nodiscard]] StoredMask storedMaskIn(const nlohmann::json& value, const JsonPlace& place);

/// Members of what jsonOf(SnakeSpec) gives.
inline constexpr std::array kSnakeKeys{"law",        "moves",     "max_step",  "min_length",
                                       "min_pixels", "max_nodes", "max_rounds"};
/// Of a threshold that no method finds.
inline constexpr std::string_view kByHand = "hand";
inline constexpr std::size_t kMostNodes = 1U << 16U; ///< of a contour
[[nodiscard]] FilterStep filterStepIn(JsonMembers& members);

/// Whether jsonOf() may leave nothing out.
[[nodiscard]] bool isReduced(const ReadStep& step) noexcept;
/// Whether the step fills holes or leaves out objects at the border.
[[nodiscard]] bool choosesPixels(const ObjectsStep& step) noexcept;

} // namespace pollard

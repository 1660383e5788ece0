#pragma once

#include "recipe/recipe.hpp"
#include "json/json_members.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>

namespace pollard {

/// The JSON forms of steps that recipes and sessions have in common: the members of an object, and what they were.
/// What is left out has its default. Reading throws Error(invalidArgument) naming the place and the value.

inline constexpr std::size_t kMostShapes = 10'000;
inline constexpr std::size_t kMostCorners = 1'000'000; ///< of a shape

/// @param complete false leaves out what only few pictures have: level, part, shrinking, layout, if it is the default
[[nodiscard]] nlohmann::ordered_json jsonOf(const ReadStep& step, bool complete);
[[nodiscard]] nlohmann::ordered_json jsonOf(const RegionStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const TreeStep& step);
[[nodiscard]] nlohmann::ordered_json jsonOf(const FilterStep& step);

/// @param complete whether the members that jsonOf() may leave out are known
[[nodiscard]] ReadStep readStepIn(JsonMembers& members, bool complete);
[[nodiscard]] RegionStep regionStepIn(JsonMembers& members);
[[nodiscard]] TreeStep treeStepIn(JsonMembers& members);
[[nodiscard]] FilterStep filterStepIn(JsonMembers& members);

/// Whether jsonOf() may leave nothing out.
[[nodiscard]] bool isReduced(const ReadStep& step) noexcept;

} // namespace pollard

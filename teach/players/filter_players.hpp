#pragma once

#include "player/player.hpp"

#include <array>

namespace pollard::teach {

/// The rules on one tree, one player each in the order of kAllRules. They use the criteria of PlayerSpec::filter and
/// how these are combined; the rule is the player's own.
[[nodiscard]] const std::array<PlayerInfo, kAllRules.size()>& filterPlayers();

/// The filter that the player of a rule shows, from PlayerSpec::filter.
[[nodiscard]] FilterSpec shownFilter(const FilterSpec& filter, Rule rule);

} // namespace pollard::teach

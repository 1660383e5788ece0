#pragma once

#include "player/player.hpp"

#include <array>

namespace pollard::teach {

/// The rules at work on one tree, a player each in the order of kAllRules. Of PlayerSpec::filter they read the criteria
/// and how these are joined; the rule is the player's own.
[[nodiscard]] const std::array<PlayerInfo, kAllRules.size()>& filterPlayers();

/// What the player with this rule makes of PlayerSpec::filter.
[[nodiscard]] FilterSpec shownFilter(const FilterSpec& filter, Rule rule);

} // namespace pollard::teach

#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// From a lowest pixel on, always the highest level that was reached is flooded first, with a queue for every level
/// (Salembier, Oliveras and Garrido, "Antiextensive connected operators for image and sequence processing", 1998), here
/// without recursion.
[[nodiscard]] const PlayerInfo& floodingPlayer();

} // namespace pollard::teach

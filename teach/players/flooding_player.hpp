#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Flooding from a lowest pixel: the highest level reached is always flooded first, with one queue per level
/// (Salembier, Oliveras and Garrido, "Antiextensive connected operators for image and sequence processing", 1998);
/// without recursion.
[[nodiscard]] const PlayerInfo& floodingPlayer();

} // namespace pollard::teach

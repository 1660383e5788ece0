#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Trees of columns, joined by threads that work on shared links concurrently (Blin, Carlinet, Lemaitre, Lacassagne and
/// Géraud, "Max-tree computation on GPUs", 2022, s. 4 and 5.1): TileTree and Connection of the CUDA engine.
[[nodiscard]] const PlayerInfo& columnsPlayer();

} // namespace pollard::teach

#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Trees of tiles, joined along their seams by threads that work on shared links concurrently, then made canonical
/// (Blin et al. 2022, s. 4.3): TileTree, lookAtSeam(), Connection and canonicalParent() of the CUDA engine.
[[nodiscard]] const PlayerInfo& tilesPlayer();

} // namespace pollard::teach

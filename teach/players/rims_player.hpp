#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// The CUDA engine's max-tree of 8-bit images: trees of tiles, of which only the rims are joined. Runs RimBuild in the
/// emulator; docs/algorithms.md, "rims".
[[nodiscard]] const PlayerInfo& rimsPlayer();

} // namespace pollard::teach

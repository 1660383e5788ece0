#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// The CUDA engine's max-tree of 16-bit images: Boruvka's algorithm finds where branches end, and sorting turns them
/// into nodes. Runs BranchBuild in the emulator; docs/algorithms.md, "boruvka".
[[nodiscard]] const PlayerInfo& boruvkaPlayer();

} // namespace pollard::teach

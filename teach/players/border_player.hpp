#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Tiles whose border trees are joined outside the picture (Blin, "Max-tree computation on GPUs", technical report,
/// 2021, s. 6): BorderTile, BorderForest and BorderConnection of the CUDA engine.
[[nodiscard]] const PlayerInfo& borderPlayer();

} // namespace pollard::teach

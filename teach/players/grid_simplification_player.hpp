#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Edges between two columns that cannot change the tree (Blin et al. 2022, propositions 1 to 3): keptEdges() of the
/// CUDA engine.
[[nodiscard]] const PlayerInfo& gridSimplificationPlayer();

} // namespace pollard::teach

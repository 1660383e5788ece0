#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Sorts the pixels and joins them from the brightest to the darkest with union-find (Berger et al., "Effective
/// component tree computation with application to pattern recognition in astronomical imaging", 2007).
[[nodiscard]] const PlayerInfo& unionFindPlayer();

} // namespace pollard::teach

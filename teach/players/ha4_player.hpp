#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Labelling by HA4 with a thread a pixel, run by the kernels of the CUDA engine in the emulator (Hennequin, Lacassagne
/// & Masliah, 2019). Threads take turns in order, or with Turns::random as the seed says.
[[nodiscard]] const PlayerInfo& ha4Player();

/// Columns of the player's table, a row a row of the picture.
enum class RootCell : std::uint8_t { row, roots, before };
inline constexpr std::size_t kRootCells = 3;

} // namespace pollard::teach

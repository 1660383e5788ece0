#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Labelling by HA4 with one thread per pixel, by the CUDA engine's kernels in the emulator (Hennequin, Lacassagne &
/// Masliah, 2019). Threads take turns in order, or with Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& ha4Player();

/// Columns of the player's table, which has one row per row of the picture.
enum class RootCell : std::uint8_t { row, roots, before };
inline constexpr std::size_t kRootCells = 3;

} // namespace pollard::teach

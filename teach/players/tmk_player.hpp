#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Measuring of objects by the tree merge kernel with blocks of 8 nodes, by the CUDA engine's kernels in the emulator
/// ("Parallel Algorithm for Connected-Component Analysis Using CUDA", Algorithms 16(2), 80, 2023). Threads take turns
/// in order, or with Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& tmkPlayer();

/// Columns of the player's table, which has one row per node.
enum class NodeCell : std::uint8_t { node, label, parent, left, right, pixels, size, place };
inline constexpr std::size_t kNodeCells = 8;

} // namespace pollard::teach

#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Labelling by the CUDA engine's algorithm "strips" (docs/algorithms.md), by its kernels in the emulator, in strips of
/// 4 rows. With TreeKind::min objects are dark: pixels of at most the threshold. Threads take turns in order, or with
/// Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& stripsPlayer();

/// Columns of the player's table, which has one row per component of a strip.
enum class PartCell : std::uint8_t { part, strip, parent, label };
inline constexpr std::size_t kPartCells = 4;

} // namespace pollard::teach

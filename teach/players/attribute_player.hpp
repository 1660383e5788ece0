#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// Area, volume and bounding box of all nodes, by the CPU engine's sweeps over the tree.
[[nodiscard]] const PlayerInfo& attributePlayer();

/// Columns of the player's table, which has one row per node.
enum class AttributeCell : std::uint8_t { canonical, level, area, levelSum, volume, left, top, right, bottom };
inline constexpr std::size_t kAttributeCells = 9;

} // namespace pollard::teach

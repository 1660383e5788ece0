#pragma once

#include "player/player.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_spec.hpp"

namespace pollard::teach {

/// The region snake of the CPU engine, one node per move, from a rectangle in the middle of the picture (Chesnaud,
/// Réfrégier & Boulet, 1999).
[[nodiscard]] const PlayerInfo& snakePlayer();

/// The start contour; empty if the picture is too small for an inside and an outside.
[[nodiscard]] Contour shownSnakeStart(const LabPicture& picture);
/// The parameters of the run.
[[nodiscard]] SnakeSpec shownSnakeSpec(const LabPicture& picture);

/// Columns of the player's table, which has one row. Means and variances are rounded.
enum class RegionCell : std::uint8_t {
    pixelsInside,
    meanInside,
    varianceInside,
    pixelsOutside,
    meanOutside,
    varianceOutside,
    energy, ///< in hundredths, rounded
};
inline constexpr std::size_t kRegionCells = 7;

} // namespace pollard::teach

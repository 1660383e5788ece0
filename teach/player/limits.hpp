#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// @throws Error(invalidArgument) if the picture is larger than the lab, or has not one level a pixel
void requireLab(const LabPicture& picture);
/// @throws Error(invalidArgument) for a number of threads that no player has
void requireThreads(const PlayerSpec& spec);
/// @throws Error(invalidArgument) for a side that no player's tiles have
void requireTiles(const PlayerSpec& spec);

} // namespace pollard::teach

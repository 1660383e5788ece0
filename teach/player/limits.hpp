#pragma once

#include "player/player.hpp"

namespace pollard::teach {

/// @throws Error(invalidArgument) if the picture is larger than the lab or does not have one level per pixel
void requireLab(const LabPicture& picture);
/// @throws Error(invalidArgument) for an unsupported number of threads
void requireThreads(const PlayerSpec& spec);
/// @throws Error(invalidArgument) for an unsupported side of tiles
void requireTiles(const PlayerSpec& spec);

} // namespace pollard::teach

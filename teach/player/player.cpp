#include "player/player.hpp"

#include "base/error.hpp"

#include <string>

namespace pollard::teach {

void requireLab(const LabImage& picture) {
    const auto fits = [](std::uint32_t side) { return side >= 1 && side <= kLabSide; };
    if (!fits(picture.width) || !fits(picture.height) || picture.levels.size() != picture.pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "picture of the grid lab: " + std::to_string(picture.width) + " x " +
                                                    std::to_string(picture.height) + " px with " +
                                                    std::to_string(picture.levels.size()) + " levels; 1 to " +
                                                    std::to_string(kLabSide) + " px a side, a level a pixel");
    }
}

void requireThreads(const PlayerSpec& spec) {
    if (spec.threads < 2 || spec.threads > 8) {
        throw Error(ErrorCode::invalidArgument,
                    "player: " + std::to_string(spec.threads) + " threads; there are 2 to 8");
    }
}

void requireTiles(const PlayerSpec& spec) {
    if (spec.tileSide != 2 && spec.tileSide != 4 && spec.tileSide != 8) {
        throw Error(ErrorCode::invalidArgument,
                    "player: tiles of " + std::to_string(spec.tileSide) + " px a side; there are 2, 4 and 8");
    }
}

} // namespace pollard::teach

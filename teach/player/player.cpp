#include "player/player.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace pollard::teach {

void requireLab(const LabImage& image) {
    const auto fits = [](std::uint32_t side) { return side >= 1 && side <= kLabSide; };
    if (!fits(image.width) || !fits(image.height) || image.levels.size() != image.pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "image of the grid lab: " + std::to_string(image.width) + " x " +
                                                    std::to_string(image.height) + " px with " +
                                                    std::to_string(image.levels.size()) + " levels; 1 to " +
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

std::vector<std::uint16_t> orderedLevels(const LabImage& image, TreeKind kind) {
    std::vector<std::uint16_t> ordered = image.levels;
    if (kind == TreeKind::min) {
        for (std::uint16_t& level : ordered) {
            level = static_cast<std::uint16_t>(std::numeric_limits<std::uint16_t>::max() - level);
        }
    }
    return ordered;
}

std::vector<std::uint32_t> pixelsByLevel(const std::vector<std::uint16_t>& ordered) {
    std::vector<std::uint32_t> pixels(ordered.size());
    std::iota(pixels.begin(), pixels.end(), 0U);
    std::ranges::sort(pixels, [&](std::uint32_t one, std::uint32_t other) {
        return ordered[one] != ordered[other] ? ordered[one] < ordered[other] : one > other;
    });
    return pixels;
}

Image imageOf(const LabImage& image) {
    Image copy(PixelType::u16, image.width, image.height);
    std::ranges::copy(image.levels, copy.pixels<std::uint16_t>().begin());
    return copy;
}

} // namespace pollard::teach

#include "player/pixel_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pollard::teach {

std::vector<std::uint16_t> orderedLevels(const LabImage& picture, TreeKind kind) {
    std::vector<std::uint16_t> ordered = picture.levels;
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

Image imageOf(const LabImage& picture) {
    Image image(PixelType::u16, picture.width, picture.height);
    std::ranges::copy(picture.levels, image.pixels<std::uint16_t>().begin());
    return image;
}

} // namespace pollard::teach

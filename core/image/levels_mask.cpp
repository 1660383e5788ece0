#include "image/levels_mask.hpp"

namespace pollard {

Mask maskOfOthers(const Image& image, std::uint16_t level) {
    Mask mask(image.width(), image.height(), false);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            mask.set(x, y, image.level(std::size_t{y} * image.width() + x) != level);
        }
    }
    return mask;
}

} // namespace pollard

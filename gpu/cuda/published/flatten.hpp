#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_layout.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Numbers pixels of the image and of the links alike.
struct SamePixels {
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept { return pixel; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept { return pixel; }
};

/// Links are those of the widened image.
struct HaloPixels {
    HaloLayout halo;
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept {
        return halo.toHalo(pixel);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept {
        return halo.fromHalo(pixel);
    }
};

/// The canonical parent of one pixel once all tiles are joined.
template <class Level, class Pixels>
[[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t canonicalParent(const LevelView<Level>& image, const Pixels& map,
                                                                const PixelLinks& links, std::uint32_t pixel) noexcept {
    const PixelRecord::Word root = links.levelRoot(PixelRecord::make(image[pixel], map.toLinks(pixel)));
    const std::uint32_t canonical = map.fromLinks(PixelRecord::index(root));
    // In a halo another copy of the pixel may stand for its node, so this is asked of the image's pixels.
    if (canonical != pixel) {
        return canonical;
    }
    const PixelRecord::Word parent = links.load(PixelRecord::index(root));
    return parent == PixelRecord::kNone ? pixel : map.fromLinks(PixelRecord::index(links.levelRoot(parent)));
}

} // namespace pollard::cuda

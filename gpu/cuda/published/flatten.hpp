#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/link_record.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Links are numbered as the pixels of the image.
struct SamePixels {
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept { return pixel; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept { return pixel; }
};

/// Links are numbered as the pixels of the widened image.
struct HaloPixels {
    HaloLayout halo;
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept {
        return halo.toHalo(pixel);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept {
        return halo.fromHalo(pixel);
    }
};

/// The canonical parent of a pixel after all tiles are joined.
template <class Level, class Pixels>
[[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t canonicalParent(const LevelView<Level>& image, const Pixels& map,
                                                                const PixelLinks& links, std::uint32_t pixel) noexcept {
    const PixelRecord::Word root = links.levelRoot(PixelRecord::make(image[pixel], map.toLinks(pixel)));
    const std::uint32_t canonical = map.fromLinks(PixelRecord::index(root));
    // Compared as image pixels: in a halo, another copy of the pixel may be the canonical one.
    if (canonical != pixel) {
        return canonical;
    }
    const PixelRecord::Word parent = links.load(PixelRecord::index(root));
    return parent == PixelRecord::kNone ? pixel : map.fromLinks(PixelRecord::index(links.levelRoot(parent)));
}

} // namespace pollard::cuda

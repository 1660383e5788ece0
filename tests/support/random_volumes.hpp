#pragma once

#include "image/image.hpp"
#include "support/random_images.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace pollard::testing {

/// A volume whose level at (x, y, z) is `level(x, y, z)`.
inline std::shared_ptr<Image>
makeVolume(PixelType type, const Extent& extent,
           const std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>& level) {
    auto volume = std::make_shared<Image>(type, extent);
    dispatch(type, [&]<class Pixel>(Pixel) {
        std::uint32_t index = 0;
        for (Pixel& pixel : volume->pixels<Pixel>()) {
            const Voxel at = voxelAt(index++, extent);
            pixel = static_cast<Pixel>(level(at.x, at.y, at.z));
        }
    });
    return volume;
}

/// The pixels of a random image as a volume.
inline std::shared_ptr<Image> randomVolume(Random& random, const Extent& extent) {
    const auto tall = randomImage(random, extent.width, static_cast<std::uint32_t>(extent.rows()));
    return makeVolume(tall->type(), extent, [&](auto x, auto y, auto z) {
        return tall->level((std::size_t{z} * extent.height + y) * extent.width + x);
    });
}

} // namespace pollard::testing

#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "operators/operator_spec.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::testing {

inline bool isIn(const Mask* mask, std::uint32_t pixel, const Extent& extent) {
    return mask == nullptr || mask->test(pixel % extent.width, pixel / extent.width);
}

/// Whether a structuring element contains the place (x, y, z) from its centre.
inline bool contains(OperatorShape shape, double radius, const VoxelSides& sides, double x, double y, double z) {
    x *= sides.x;
    y *= sides.y;
    z *= sides.z;
    return shape == OperatorShape::box ? std::max({std::abs(x), std::abs(y), std::abs(z)}) <= radius
                                       : x * x + y * y + z * z <= radius * radius;
}

/// The levels inside that the structuring element around a pixel contains. @param mirrors continues the image
inline std::vector<std::uint16_t> levelsAround(const Image& image, std::uint32_t pixel, OperatorShape shape,
                                               double radius, const Mask* inside, bool mirrors) {
    const Extent& extent = image.extent();
    const auto back = [](int place, int length) {
        const int within = ((place % (2 * length)) + 2 * length) % (2 * length);
        return within < length ? within : 2 * length - 1 - within;
    };
    const Voxel at = voxelAt(pixel, extent);
    const int reach = static_cast<int>(radius / std::min({image.sides().x, image.sides().y, image.sides().z}));
    const auto within = [&](std::uint32_t length) { // a structuring element that goes beyond has no further pixels
        return mirrors ? reach : std::min(reach, static_cast<int>(length) - 1);
    };
    const int deep = extent.isVolume() ? within(extent.slices) : 0;
    const int high = within(extent.height);
    const int wide = within(extent.width);
    std::vector<std::uint16_t> levels;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -high; y <= high; ++y) {
            for (int x = -wide; x <= wide; ++x) {
                if (!contains(shape, radius, image.sides(), x, y, z)) {
                    continue;
                }
                const int px = static_cast<int>(at.x) + x;
                const int py = static_cast<int>(at.y) + y;
                const int pz = static_cast<int>(at.z) + z;
                const int rx = back(px, static_cast<int>(extent.width));
                const int ry = back(py, static_cast<int>(extent.height));
                const int rz = back(pz, static_cast<int>(extent.slices));
                if (!mirrors && (rx != px || ry != py || rz != pz)) {
                    continue;
                }
                const auto other = static_cast<std::uint32_t>(
                    (rz * static_cast<int>(extent.height) + ry) * static_cast<int>(extent.width) + rx);
                if (isIn(inside, other, extent)) {
                    levels.push_back(image.level(other));
                }
            }
        }
    }
    return levels;
}

/// An image whose pixels inside have a level by their number, and the others their level in @p image.
inline std::shared_ptr<Image> imageBy(const Image& image, const Mask* inside,
                                      const std::function<std::uint32_t(std::uint32_t)>& level) {
    auto made = std::make_shared<Image>(image.type(), image.extent());
    made->setSides(image.sides());
    dispatch(image.type(), [&]<class T>(T) {
        for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
            made->pixels<T>()[p] = static_cast<T>(isIn(inside, p, image.extent()) ? level(p) : image.level(p));
        }
    });
    return made;
}

inline std::shared_ptr<Image> naiveErosion(const Image& image, OperatorShape shape, double radius, const Mask* inside) {
    return imageBy(image, inside,
                   [&](auto p) { return std::ranges::min(levelsAround(image, p, shape, radius, inside, false)); });
}
inline std::shared_ptr<Image> naiveDilation(const Image& image, OperatorShape shape, double radius,
                                            const Mask* inside) {
    return imageBy(image, inside,
                   [&](auto p) { return std::ranges::max(levelsAround(image, p, shape, radius, inside, false)); });
}

/// A random image, or a volume with random sides of voxels.
inline std::shared_ptr<Image> anyImage(Random& random) {
    const std::uint32_t width = 1 + random() % 19;
    const std::uint32_t height = 1 + random() % 13;
    if (random() % 2 == 0) {
        return randomImage(random, width, height);
    }
    const auto volume = randomVolume(random, {1 + random() % 9, 1 + random() % 8, 2 + random() % 5});
    constexpr VoxelSides kSides[] = {{1, 1, 1}, {1, 1, 2.5}, {1, .5, 1}};
    volume->setSides(kSides[random() % 3]);
    return volume;
}

/// A mask of the image's rows, or null.
inline std::shared_ptr<const Mask> anyMask(Random& random, const Image& image) {
    if (random() % 2 == 0) {
        return nullptr;
    }
    auto mask = std::make_shared<Mask>(image.width(), static_cast<std::uint32_t>(image.extent().rows()), false);
    const std::uint32_t share = 1 + random() % 4;
    for (std::uint32_t y = 0; y < mask->height(); ++y) {
        for (std::uint32_t x = 0; x < mask->width(); ++x) {
            mask->set(x, y, random() % share != 0 || share == 1);
        }
    }
    mask->set(random() % mask->width(), random() % mask->height(), true);
    return mask;
}

inline std::vector<std::uint16_t> levelsOf(const Image& image) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        levels.push_back(image.level(i));
    }
    return levels;
}

} // namespace pollard::testing

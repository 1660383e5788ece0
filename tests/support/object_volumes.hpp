#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cstdint>

namespace pollard::testing {

/// The mask of a volume, of the rows of all slices: noise of blocks, checkerboards, shells, combs, serpentines, all or
/// no voxels.
inline Mask objectVolume(Random& random, const Extent& extent) {
    Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    const std::uint32_t kind = random() % 10;
    const std::uint32_t density = random() % 101;
    const std::uint32_t block = 1 + random() % 4;
    const std::uint32_t seed = random();
    for (std::uint32_t row = 0; row < mask.height(); ++row) {
        const std::uint32_t y = row % extent.height;
        const std::uint32_t z = row / extent.height;
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const std::uint32_t hash =
                (x / block * 73856093U ^ y / block * 19349663U ^ z / block * 83492791U ^ seed) * 2654435761U;
            bool isSet = (hash >> 13U) % 100 < density;
            switch (kind) {
            case 0:
                isSet = (x + y + z) % 2 == 0;
                break;
            case 1:
                isSet =
                    std::min({x, y, z, extent.width - 1 - x, extent.height - 1 - y, extent.slices - 1 - z}) % 2 == 0;
                break;
            case 2: // teeth joined in the last slice
                isSet = (x % 2 == 0 && y % 2 == 0) || z + 1 == extent.slices;
                break;
            case 3: // slices joined at alternating corners
                isSet = z % 2 == 0 || (x == (z % 4 == 1 ? extent.width - 1 : 0) && y == 0);
                break;
            case 4: // all but a few
                isSet = hash % 200 != 0;
                break;
            default:
                break;
            }
            mask.set(x, row, isSet);
        }
    }
    return mask;
}

} // namespace pollard::testing

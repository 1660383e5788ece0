#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "support/random_images.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::testing {

inline std::vector<std::uint32_t> randomSeeds(Random& random, const Image& image) {
    std::vector<std::uint32_t> seeds(image.pixelCount());
    const std::uint32_t one = 1 + random() % 30;
    const std::uint32_t labels = 1 + random() % 9;
    for (std::uint32_t& seed : seeds) {
        seed = random() % one == 0 ? 1 + random() % labels : 0;
    }
    return seeds;
}

inline std::optional<Mask> randomInside(Random& random, const Image& image) {
    if (random() % 2 == 0) {
        return std::nullopt;
    }
    Mask mask(image.width(), static_cast<std::uint32_t>(image.extent().rows()), true);
    for (std::size_t p = 0; p != image.pixelCount(); ++p) {
        const auto y = static_cast<std::uint32_t>(p / image.width());
        mask.set(static_cast<std::uint32_t>(p % image.width()), y, random() % 5 != 0);
    }
    return mask;
}

} // namespace pollard::testing

#pragma once

#include "components/components.hpp"
#include "components/threshold.hpp"
#include "support/object_masks.hpp"
#include "teach/tree_lab.hpp"

#include <cstdint>
#include <vector>

namespace pollard::testing {

/// An image with objects at the threshold of PlayerSpec: any size, density and granularity.
inline teach::LabImage randomObjects(Random& random) {
    const std::uint32_t width = 1 + random() % teach::kLabSide;
    const std::uint32_t height = 1 + random() % teach::kLabSide;
    const std::uint32_t granularity = random() % 2 == 0 ? 1 : 1 + random() % 4;
    const Mask mask = granularMask(random, width, height, granularity, random() % 101);
    teach::LabImage image{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            image.levels.push_back(static_cast<std::uint16_t>(mask.test(x, y) ? 128 + random() % 128 : random() % 128));
        }
    }
    return image;
}

/// The CPU engine's 4-connected objects of an image.
inline Components engineObjects(const teach::LabImage& image, const teach::PlayerSpec& spec) {
    return labelComponents(thresholdMask(teach::imageOf(image), spec.threshold, 0xffff, nullptr), nullptr, {});
}

inline std::vector<std::int64_t> engineLabels(const teach::LabImage& image, const teach::PlayerSpec& spec) {
    const Components objects = engineObjects(image, spec);
    return {objects.labels.begin(), objects.labels.end()};
}

/// The order of threads that number @p i of many tests runs with.
inline teach::PlayerSpec specWithOrder(std::uint32_t i) {
    teach::PlayerSpec spec;
    spec.turns = i % 4 == 0 ? teach::Turns::inOrder : teach::Turns::random;
    spec.seed = i;
    return spec;
}

} // namespace pollard::testing

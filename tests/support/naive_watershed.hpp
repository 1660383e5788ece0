#pragma once

#include "analysis/watershed.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Pixels whose coordinates differ by 1 at most, in no more axes than the connectivity allows.
inline std::vector<std::uint32_t> naiveNeighbours(std::uint32_t pixel, const Extent& extent,
                                                  Connectivity connectivity) {
    const bool isSmallest = connectivity == Connectivity::four || connectivity == Connectivity::six;
    const int axes = isSmallest ? 1 : connectivity == Connectivity::twentySix ? 3 : 2;
    const Voxel at = voxelAt(pixel, extent);
    std::vector<std::uint32_t> found;
    for (std::uint32_t other = 0; other != extent.pixelCount(); ++other) {
        const Voxel to = voxelAt(other, extent);
        const auto apart = [](std::uint32_t a, std::uint32_t b) {
            return std::abs(static_cast<int>(a) - static_cast<int>(b));
        };
        const int x = apart(at.x, to.x);
        const int y = apart(at.y, to.y);
        const int z = apart(at.z, to.z);
        if (other != pixel && x <= 1 && y <= 1 && z <= 1 && x + y + z <= axes) {
            found.push_back(other);
        }
    }
    return found;
}

/// The definition of watershed(), round by round over all pixels.
inline std::vector<std::uint32_t> naiveWatershed(const Image& image, std::span<const std::uint32_t> seeds,
                                                 const Mask* inside, const WatershedSpec& spec) {
    const Extent& extent = image.extent();
    const auto isInside = [&](std::uint32_t p) {
        return inside == nullptr || inside->test(p % extent.width, p / extent.width);
    };
    std::vector<std::vector<std::uint32_t>> neighbours;
    std::vector<int> levels;
    for (std::uint32_t p = 0; p != extent.pixelCount(); ++p) {
        neighbours.push_back(naiveNeighbours(p, extent, spec.connectivity));
        levels.push_back(spec.descending ? maxLevelOf(image.type()) - image.level(p) : image.level(p));
    }
    const auto labelOfFirst = [&](const std::vector<std::uint32_t>& labels, std::uint32_t p) {
        std::uint32_t found = 0;
        int first = 0;
        for (const std::uint32_t other : neighbours[p]) {
            if (labels[other] != 0 &&
                (found == 0 || std::pair(levels[other], labels[other]) < std::pair(first, found))) {
                found = labels[other];
                first = levels[other];
            }
        }
        return found;
    };
    std::vector<std::uint32_t> labels(extent.pixelCount());
    for (int level = 0; level <= maxLevelOf(image.type()); ++level) {
        bool any = false;
        for (std::uint32_t p = 0; p != labels.size(); ++p) {
            if (levels[p] == level) {
                any = true;
                labels[p] = labels[p] == 0 && isInside(p) ? seeds[p] : labels[p];
            }
        }
        while (any) {
            any = false;
            const std::vector<std::uint32_t> before = labels;
            for (std::uint32_t p = 0; p != labels.size(); ++p) {
                if (before[p] == 0 && levels[p] <= level && isInside(p)) {
                    labels[p] = labelOfFirst(before, p);
                    any = any || labels[p] != 0;
                }
            }
        }
    }
    std::vector<std::uint32_t> result = labels;
    for (std::uint32_t p = 0; spec.lines && p != labels.size(); ++p) {
        for (const std::uint32_t other : neighbours[p]) {
            if (labels[other] != 0 && labels[other] < labels[p]) {
                result[p] = 0;
            }
        }
    }
    return result;
}

} // namespace pollard::testing

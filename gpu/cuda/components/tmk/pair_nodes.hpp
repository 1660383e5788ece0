#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/components/tmk/merge_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda::tmk {

/// Nodes per row: one for two adjacent pixels. The paper pairs the pixels 2t and 2t + 1 of the whole image, which joins
/// the end of a row to the start of the next if the width is odd.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t nodesOfRow(std::uint32_t width) {
    return width / 2 + width % 2;
}

/// Step, initialisation (algorithm 1): makes a tree of one node from two adjacent pixels, which have equal labels if
/// both are set, or an empty tree. Beside the paper's features it measures second moments, grey levels and, from the
/// surrounding pixels, perimeter and holes: the Euler number is pixels - pairs of neighbours + squares of four.
template <class Level> struct MakeNodes {
    DeviceMask mask;
    const std::uint32_t* labels; ///< a number per object, at set pixels
    const Level* grey;           ///< null: no image
    MergeTree nodes;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t row = nodesOfRow(mask.width);
        const auto y = static_cast<std::uint32_t>(i / row);
        const std::uint32_t first = static_cast<std::uint32_t>(i - std::size_t{y} * row) * 2;
        std::uint32_t label = kNone;
        FeatureSums sums = FeatureSums::none();
        sums.holes = 0;
        for (std::uint32_t x = first; x < first + 2 && x < mask.width; ++x) {
            if (mask.isSet(x, y)) {
                const std::size_t pixel = std::size_t{y} * mask.width + x;
                label = labels[pixel];
                sums = added(sums, ofPixel(x, y, pixel));
            }
        }
        nodes.links[i] = {label, kNone, kNone, kNone};
        if (label != kNone) {
            nodes.sums[i] = sums;
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE FeatureSums ofPixel(std::uint32_t x, std::uint32_t y, std::size_t pixel) const {
        const bool left = x > 0 && mask.isSet(x - 1, y);
        const bool up = y > 0 && mask.isSet(x, y - 1);
        const bool right = x + 1 < mask.width && mask.isSet(x + 1, y);
        const bool down = y + 1 < mask.height && mask.isSet(x, y + 1);
        const bool square = left && up && mask.isSet(x - 1, y - 1);
        const std::uint64_t wide = x;
        const std::uint64_t high = y;
        FeatureSums sums = FeatureSums::none();
        sums.area = 1;
        sums.x = wide;
        sums.y = high;
        sums.xx = wide * wide;
        sums.xy = wide * high;
        sums.yy = high * high;
        sums.perimeter = std::uint64_t{4} - (left ? 1 : 0) - (up ? 1 : 0) - (right ? 1 : 0) - (down ? 1 : 0);
        sums.holes = std::uint64_t{left ? 1U : 0U} + (up ? 1 : 0) - (square ? 1 : 0) - 1;
        sums.left = sums.right = x;
        sums.top = sums.bottom = y;
        if (grey != nullptr) {
            sums.grey = sums.greyMin = sums.greyMax = grey[pixel];
        }
        return sums;
    }
};

} // namespace pollard::cuda::tmk

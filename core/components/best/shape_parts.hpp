#pragma once

#include "base/job_control.hpp"
#include "components/best/bordered_sums.hpp"
#include "components/best/brightness.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Binary hierarchy of the parts of a region: each part is joined with another one until all are the region.
struct ShapeParts {
    static constexpr std::size_t kMostJoins = 400;

    /// A part, which consists of the smallest parts [firstLeaf, lastLeaf).
    struct Part {
        std::uint32_t parent = 0; ///< index of the part around; CutForest::kNone for the region
        std::uint16_t firstLeaf = 0;
        std::uint16_t lastLeaf = 0;
        BorderedSums sums;
    };

    std::vector<Part> parts;           ///< without the region; parents first. Empty: the region is not split
    std::vector<std::uint16_t> leaves; ///< the smallest part of each pixel of the region, in the order of its pixels
};

/// Splits a region by its shape: the distances to the border of the region with filled holes, smoothed by a Gaussian
/// filter of 1 px, are flooded from their maxima; basins that meet are joined in the order of the saddles. A basin
/// whose maximum rises less than 0.5 px above the saddle, or with fewer than @p leastArea / 3 pixels there, joins its
/// neighbour at once. In a volume, the unit of these lengths is the smallest side of a voxel. The edge of the image is
/// no border. A region with more than kMostJoins joins is not split. O(p) for p pixels in the box of the region, which
/// take 30 bytes each.
/// @param pixels of the region, which has 8-neighbours, in a volume 26-neighbours
/// @throws Cancelled
[[nodiscard]] ShapeParts splitByShape(std::span<const std::uint32_t> pixels, const Brightness& image,
                                      std::uint32_t leastArea, const JobControl& control = {});

} // namespace pollard

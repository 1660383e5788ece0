#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// The regions of a hierarchy if boundaries of at most @p strength are removed. O(pixels + basins log basins)
/// @param valid pixels with data; all others have the label 0; null: all pixels have data
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] LabelImage regions(const Hierarchy& hierarchy, std::uint64_t strength, const Mask* valid = nullptr,
                                 const JobControl& control = {});

/// Pixels of a plane of an image or a volume, some pixels apart: those that a view shows.
struct PixelSamples {
    std::uint64_t first = 0;  ///< pixel of the first sample
    std::uint64_t across = 1; ///< pixels from a sample to the next one in its row
    std::uint64_t down = 1;   ///< pixels from a sample to the one below
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
};

/// Cuts a hierarchy at samples alone. O(samples log basins), whatever the size of the image.
/// @return (rows, columns): 1 + the basin that stands for the sample's region, see Hierarchy::regionOf(); 0 without
/// data. Samples have one number if they have one label in regions() for the same strength.
/// @throws Error(invalidArgument) for samples outside the image; Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint32_t> regionsAtSamples(const Hierarchy& hierarchy, std::uint64_t strength,
                                                     const PixelSamples& samples, const Mask* valid = nullptr,
                                                     const JobControl& control = {});

/// The image with the mean level of its region, rounded half up, at each pixel. A pixel with the label 0 keeps its
/// level.
/// @param labels of regions(), of the image's size
/// @throws Error(invalidArgument) for another size; Error(outOfMemory), Cancelled
[[nodiscard]] Image regionMeans(const Image& image, const LabelImage& labels, const JobControl& control = {});

/// Per pixel the strength of the strongest boundary between it and its neighbours that share a side: the saliency map
/// of the hierarchy, on pixels. The pixels above a strength are the boundaries of the regions for it, two pixels wide.
/// Pixels without data have no boundaries.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint64_t> boundaryStrengths(const Hierarchy& hierarchy, const JobControl& control = {});

/// As boundaryStrengths(), with another number of each boundary, such as the mean weight of its edges.
/// @param ofMerges a number at least 0 per merge of the hierarchy
[[nodiscard]] Buffer<double> boundaryNumbers(const Hierarchy& hierarchy, std::span<const double> ofMerges,
                                             const JobControl& control = {});

} // namespace pollard

#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// The regions of a hierarchy if boundaries of at most @p strength are removed. O(pixels + basins log basins)
/// @param valid pixels with data; all others have the label 0; null: all pixels have data
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] LabelImage regions(const Hierarchy& hierarchy, std::uint64_t strength, const Mask* valid = nullptr,
                                 const JobControl& control = {});

/// Pixels of a plane of an image or a volume that a view shows: pixel `first + rows[y] + columns[x]` is sample (y, x).
struct PixelSamples {
    std::uint64_t first = 0;
    std::span<const std::size_t> columns = {};
    std::span<const std::size_t> rows = {};
};

/// Cuts a hierarchy after its first @p merges merges at samples alone. O(samples log basins), whatever the size of the
/// image.
/// @return (rows, columns): 1 + the basin that stands for the sample's region, see Hierarchy::regionAfter(); 0 without
/// data. Samples have one number if they have one label in regions() for the strength of these merges.
/// @throws Error(invalidArgument) for samples outside the image; Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint32_t> regionsAtSamples(const Hierarchy& hierarchy, std::uint32_t merges,
                                                     const PixelSamples& samples, const Mask* valid = nullptr,
                                                     const JobControl& control = {});

/// Per label (index label - 1) the number that regionsAtSamples() has for the region. O(pixels)
/// @param labels per pixel the label of a region after the first @p merges merges, or of a part of one; each label up
/// to
/// @p count occurs; 0: no region
/// @throws Cancelled
[[nodiscard]] std::vector<std::uint32_t> regionsOfLabels(const Hierarchy& hierarchy, std::uint32_t merges,
                                                         std::span<const std::uint32_t> labels, std::size_t count,
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

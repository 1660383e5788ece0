#pragma once

#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// What suppressing low maxima did.
struct HMaximaReport {
    std::uint64_t maxima = 0;        ///< regional maxima (min-tree: minima) of the result
    std::uint64_t changedPixels = 0; ///< pixels whose level the transform changes
    std::uint64_t changedMass = 0;   ///< grey * px: sum of |f - result|

    bool operator==(const HMaximaReport&) const = default;
};

/// Level that the h-maxima transform gives to the pixels of every node: from a max-tree the reconstruction by dilation
/// of f - h under f, from a min-tree, as its dual, the reconstruction by erosion of f + h above f (h-minima; Soille,
/// "Morphological image analysis", 2004, chapter 6). f - h is cut off at level 0, f + h at the type's largest level.
/// One pass up and one down the numbers: no iteration, and no cost of the tree's depth.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint16_t> hMaximaLevels(const ComponentTree& tree, std::uint16_t h,
                                                  const JobControl& control = {});

/// The transform as a picture.
/// @param image what the tree was built of
/// @param output Output::filtered for the transform, Output::residue for |f - transform| (h-domes or h-basins)
/// @param out image of the type and size of @p image
/// @throws Error(invalidArgument) for another output or size; Error(outOfMemory), Cancelled
HMaximaReport hMaxima(const ComponentTree& tree, const Image& image, std::uint16_t h, Output output, Image& out,
                      const JobControl& control = {});

} // namespace pollard

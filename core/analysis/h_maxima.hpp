#pragma once

#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Effect of suppressing low maxima.
struct HMaximaReport {
    std::uint64_t maxima = 0;        ///< regional maxima (min-tree: minima) of the result
    std::uint64_t changedPixels = 0; ///< pixels whose level changes
    std::uint64_t changedMass = 0;   ///< grey * px: sum of |f - result|

    bool operator==(const HMaximaReport&) const = default;
};

/// Level of every node's pixels after the h-maxima transform: for a max-tree the reconstruction by dilation of f - h
/// under f; for a min-tree, its dual, the reconstruction by erosion of f + h above f (h-minima; Soille, "Morphological
/// image analysis", 2004, chapter 6). f - h is clamped to level 0, f + h to the type's largest level. One pass up and
/// one down the tree, O(nodes) for any depth.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint16_t> hMaximaLevels(const ComponentTree& tree, std::uint16_t h,
                                                  const JobControl& control = {});

/// The transform as an image.
/// @param output Output::filtered for the transform, Output::residue for |f - transform| (h-domes or h-basins)
/// @param out image of the type and size of the tree's image
/// @throws Error(invalidArgument) for another output or size; Error(outOfMemory), Cancelled
HMaximaReport hMaxima(const ComponentTree& tree, std::uint16_t h, Output output, Image& out,
                      const JobControl& control = {});

} // namespace pollard

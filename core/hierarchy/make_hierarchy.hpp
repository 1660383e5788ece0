#pragma once

#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

namespace pollard {

/// Makes a hierarchy by Kruskal's algorithm: first in each tile, in parallel, as far as no pixel outside can matter,
/// then on the components and edges that are left. O(pixels log pixels), for any height.
/// Edges of equal weight are taken in the order of their pixels.
/// @param valid pixels with data, which never join others; null: all pixels have data
/// @param tile sides of a tile, of at most 65,536 pixels; the hierarchy does not depend on it
/// @throws Error(invalidArgument) as connectivityIn(); Error(outOfMemory), Cancelled
[[nodiscard]] Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                      const JobControl& control, const Extent& tile);
/// As above, with tiles that fit the processor's caches.
[[nodiscard]] Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                      const JobControl& control = {});

} // namespace pollard

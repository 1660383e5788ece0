#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Level of every node's pixels after morphological reconstruction of the tree's image (the mask) from a marker: for a
/// max-tree the limit of geodesic dilations of the marker under the mask, for a min-tree the limit of geodesic erosions
/// above it (Vincent, "Morphological grayscale reconstruction in image analysis", 1993). Between the level of its
/// parent and its own, the component of a node is constant, so it is flooded up to the highest level of the marker in
/// it. O(pixels + nodes), for any depth of the tree.
/// @param marker of the mask's size, of either type; values beyond the mask count as the mask's
/// @throws Error(invalidArgument) for a marker of another size; Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint16_t> reconstructedLevels(const ComponentTree& tree, const Image& marker,
                                                        const JobControl& control);

} // namespace pollard

#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Builds the max-tree or min-tree of an image or volume by branch decomposition (docs/algorithms.md, "branches").
/// Runs in the calling thread's oneTBB arena. Expected time O(n log n) for any image of n pixels, without walks to the
/// root and without recursion. @param spec with a connectivity for the image, see connectivityIn()
/// @throws Cancelled, Error(outOfMemory)
[[nodiscard]] ComponentTree buildComponentTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                               StageTimer& timer);

/// Canonical parent image of the tree that buildComponentTree() builds (see pollard::canonicalParentImage()), without
/// building that tree: the same tiles and seams, without sorting and numbering. Stages: tiles, seams, nodes, flatten.
/// @throws Cancelled, Error(outOfMemory)
[[nodiscard]] Buffer<std::uint32_t> buildParentImage(const Image& image, const TreeSpec& spec,
                                                     const JobControl& control, StageTimer& timer);

} // namespace pollard::cpu

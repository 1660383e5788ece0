#pragma once

#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Builds the max-tree or min-tree of an image by branch decomposition (docs/algorithms.md, "branches").
/// Runs in the calling thread's oneTBB arena. Time O(n log n) expected with n pixels for any image: nothing walks
/// from a node to the root, nothing recurses.
/// @throws Cancelled, Error(outOfMemory)
[[nodiscard]] ComponentTree buildComponentTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                               StageTimer& timer);

/// What to throw when memory ran out over the tree of @p image.
[[nodiscard]] Error noMemoryFor(const Image& image);

/// Upper bound of the bytes buildComponentTree() holds at its peak, the tree included, the image not.
[[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) noexcept;

} // namespace pollard::cpu

#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard::cuda {

/// Names of the max-tree algorithms (docs/algorithms.md).
[[nodiscard]] const std::vector<std::string>& maxTreeAlgorithms();

/// The algorithm that is asked for, or if none is, the fastest for such levels: at 8 bits "rims", whose time depends on
/// the depth of the tree, at 16 bits "boruvka", whose time does not.
[[nodiscard]] const std::string& algorithmOf(const TreeSpec& spec, PixelType type);

/// Whether this is "boruvka", which makes trees without a parent image (see branches/tree_by_branches.hpp).
/// @throws Error(engineUnavailable) for an unknown algorithm
[[nodiscard]] bool isByBranches(const TreeSpec& spec, PixelType type);

/// Canonical parent image, shape (height, width), on the device: a canonical pixel points to the canonical pixel of the
/// parent node (the root's to itself), every other pixel to that of its own node. Equal, bit for bit, to core's
/// canonicalParentImage(), whatever the algorithm.
///
/// Work is queued on the memory's stream in stages "halo", "tiles", "border", "merges", "flatten", as far as the
/// algorithm has them; "rims" has "tiles", "merges" and "flatten"; those of "boruvka" are "tiles", "seams", "boruvka",
/// "keys", "sort", "runs", "nodes", "flatten". The time of the published algorithms depends on the depth of the tree,
/// since a join climbs from a boundary to the common ancestor; that of "boruvka" does not. It looks at a few counts on
/// the way and so waits for its work.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(limitExceeded) for an image of more pixels than 32
///         bits can number, Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> buildParentImage(const DeviceImage& image, const TreeSpec& spec,
                                                           const std::shared_ptr<DeviceMemory>& memory,
                                                           StageClock& clock, const JobControl& control);

/// Bytes buildParentImage() holds at its peak, the result included, the image not.
[[nodiscard]] std::uint64_t estimateParentImageBytes(PixelType type, std::uint32_t width, std::uint32_t height,
                                                     const TreeSpec& spec);

} // namespace pollard::cuda

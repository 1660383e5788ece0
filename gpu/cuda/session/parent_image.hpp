#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/device_tree.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cuda {

/// An algorithm that builds max-trees; a row of the table in parent_image.cpp adds one to the engine and to `bench`
/// (docs/algorithms.md).
struct MaxTreeAlgorithm {
    std::string_view name;
    std::string_view source; ///< paper or "Pollard"

    /// See buildParentImage() and estimateParentImageBytes().
    DeviceBuffer<std::uint32_t> (*parents)(const DeviceImage& image, const TreeSpec& spec,
                                           const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                           const JobControl& control);
    std::uint64_t (*parentBytes)(PixelType type, const Extent& extent, const TreeSpec& spec);

    /// The numbered tree without a parent image and its peak memory; null: numberNodes() makes it of the parent image.
    DeviceTree (*tree)(const DeviceImage& image, const TreeSpec& spec, const std::shared_ptr<DeviceMemory>& memory,
                       StageClock& clock, const JobControl& control) = nullptr;
    std::uint64_t (*treeBytes)(PixelType type, const Extent& extent, const TreeSpec& spec) = nullptr;
    bool takesVolumes = false;
};
[[nodiscard]] std::span<const MaxTreeAlgorithm> maxTrees() noexcept;
[[nodiscard]] std::vector<std::string> maxTreeAlgorithms(); ///< their names

/// The requested algorithm or, if none is, the fastest for the pixel type: "rims" at 8 bits, whose time depends on the
/// depth of the tree, and "boruvka" at 16 bits, whose time does not, and of volumes.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(invalidArgument) for one that takes no volumes
[[nodiscard]] const MaxTreeAlgorithm& maxTreeOf(const TreeSpec& spec, PixelType type, const Extent& extent);

/// Builds the canonical parent image, shape (slices, height, width), in device memory: a canonical pixel points to the
/// canonical pixel of the parent node (the root's to itself), every other pixel to the canonical pixel of its own node.
/// Equal bit for bit to core's canonicalParentImage() for every algorithm.
///
/// Queues the work on the memory's stream and records its stages: a published algorithm has some of "halo", "tiles",
/// "border", "merges", "flatten"; "rims" has "tiles", "merges", "flatten"; "boruvka" has "tiles", "seams", "boruvka",
/// "keys", "sort", "runs", "nodes", "flatten", with "bricks" and "faces" instead of the first two in volumes. The
/// published algorithms and "rims" take longer for deeper trees, since joining climbs from a boundary to the common
/// ancestor; "boruvka" does not, but it waits for the device to read a few counts.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(limitExceeded) for an image with more pixels than
/// 32 bits can number, Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> buildParentImage(const DeviceImage& image, const TreeSpec& spec,
                                                           const std::shared_ptr<DeviceMemory>& memory,
                                                           StageClock& clock, const JobControl& control);

/// Peak memory of buildParentImage(), bytes, with the result and without the image.
[[nodiscard]] std::uint64_t estimateParentImageBytes(PixelType type, const Extent& extent, const TreeSpec& spec);

} // namespace pollard::cuda

#pragma once

#include "attributes/volume_table.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <variant>

// Boxes, moments and outlines of the components of volumes. O(voxels + nodes), parallel.

namespace pollard::cpu {

[[nodiscard]] Buffer<VolumeBox> volumeBoxesOf(const ComponentTree& tree, const PixelList& list,
                                              const JobControl& control);

/// VolumeSums of every component, with the bits that the volume needs.
using NodeVolumeSums = std::variant<Buffer<VolumeSums<std::uint64_t>>, Buffer<VolumeSums<UInt128>>>;
[[nodiscard]] inline bool isEmpty(const NodeVolumeSums& sums) noexcept {
    return std::visit([](const auto& values) { return values.empty(); }, sums);
}

[[nodiscard]] NodeVolumeSums volumeSumsOf(const ComponentTree& tree, const PixelList& list, const JobControl& control);
[[nodiscard]] std::uint64_t volumeSumBytes(const ComponentTree& tree) noexcept;

[[nodiscard]] Buffer<PrincipalMoments> principalMomentsOf(const NodeVolumeSums& sums, const Buffer<std::uint32_t>& area,
                                                          const VoxelSides& sides, const JobControl& control);

/// @param tree with 6 or 26 neighbours; with 18 the Euler numbers are meaningless
[[nodiscard]] Buffer<VolumeOutline> volumeOutlinesOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

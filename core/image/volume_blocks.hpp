#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace pollard {

/// Sides of blocks of voxels; a block becomes a voxel of a smaller volume.
struct BlockSides {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    [[nodiscard]] constexpr bool areVoxels() const noexcept { return x == 1 && y == 1 && z == 1; }
    bool operator==(const BlockSides&) const = default;
};

/// Number of blocks along each axis; the last blocks may be smaller.
[[nodiscard]] constexpr Extent blocksOf(const Extent& volume, const BlockSides& sides) noexcept {
    const auto count = [](std::uint32_t voxels, std::uint32_t side) { return (voxels - 1) / side + 1; };
    return {count(volume.width, sides.x), count(volume.height, sides.y), count(volume.slices, sides.z)};
}

/// The smallest blocks whose number is at most @p most, and at most @p longest along each axis; nearly cubes in space.
/// @param most,longest at least 1
[[nodiscard]] BlockSides blockSidesFor(const Extent& volume, const VoxelSides& sides, std::uint64_t most,
                                       std::uint32_t longest);

/// Level that stands for a block.
enum class Extremum : std::uint8_t { largest, smallest };

/// A voxel for each block with an extreme level of its voxels; the volume itself if the blocks are voxels.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] std::shared_ptr<const Image> extremaOf(const std::shared_ptr<const Image>& volume,
                                                     const BlockSides& sides, Extremum extremum,
                                                     const JobControl& control = {});

/// For each block, the number (such as the node) of its first voxel with the extreme level.
/// @param numbers of all voxels @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint32_t> numbersAtExtrema(const Image& volume, std::span<const std::uint32_t> numbers,
                                                     const BlockSides& sides, Extremum extremum,
                                                     const JobControl& control = {});

} // namespace pollard

#include "image/volume_blocks.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pollard {
namespace {

/// Calls @p take(block, voxel) with the index of the first voxel of each block that has its extreme level.
template <class T, class Take> void forEachExtremum(const Image& volume, const BlockSides& sides, Extremum extremum,
                                                    const JobControl& control, const Take& take) {
    const Extent& extent = volume.extent();
    const Extent blocks = blocksOf(extent, sides);
    const T* const levels = volume.pixels<T>().data();
    const auto isBeyond = [extremum](T a, T b) { return extremum == Extremum::largest ? a > b : a < b; };
    forEachIndex(
        blocks.rows(), control,
        [&](std::size_t row) {
            const auto y = static_cast<std::uint32_t>(row % blocks.height) * sides.y;
            const auto z = static_cast<std::uint32_t>(row / blocks.height) * sides.z;
            const std::uint32_t endY = std::min(y + sides.y, extent.height);
            const std::uint32_t endZ = std::min(z + sides.z, extent.slices);
            for (std::uint32_t block = 0; block < blocks.width; ++block) {
                const std::uint32_t x = block * sides.x;
                const std::uint32_t count = std::min(sides.x, extent.width - x);
                std::size_t best = (std::size_t{z} * extent.height + y) * extent.width + x;
                for (std::uint32_t inZ = z; inZ < endZ; ++inZ) {
                    for (std::uint32_t inY = y; inY < endY; ++inY) {
                        const std::size_t first = (std::size_t{inZ} * extent.height + inY) * extent.width + x;
                        for (std::size_t voxel = first; voxel < first + count; ++voxel) {
                            best = isBeyond(levels[voxel], levels[best]) ? voxel : best;
                        }
                    }
                }
                take(row * blocks.width + block, best);
            }
        },
        1);
}

} // namespace

BlockSides blockSidesFor(const Extent& volume, const VoxelSides& sides, std::uint64_t most, std::uint32_t longest) {
    BlockSides blocks;
    struct Axis {
        std::uint32_t voxels;
        double side; ///< of a voxel
        std::uint32_t& block;
    };
    const std::array axes{Axis{volume.width, sides.x, blocks.x}, Axis{volume.height, sides.y, blocks.y},
                          Axis{volume.slices, sides.z, blocks.z}};
    for (const Axis& axis : axes) {
        axis.block = (axis.voxels - 1) / longest + 1;
    }
    while (blocksOf(volume, blocks).pixelCount() > most) {
        const auto grows = [](const Axis& axis) { return axis.block < axis.voxels; };
        const auto least = std::ranges::min_element(axes, [&](const Axis& a, const Axis& b) {
            return grows(a) != grows(b) ? grows(a) : a.block * a.side < b.block * b.side;
        });
        if (!grows(*least)) {
            break;
        }
        ++least->block;
    }
    return blocks;
}

std::shared_ptr<const Image> extremaOf(const std::shared_ptr<const Image>& volume, const BlockSides& sides,
                                       Extremum extremum, const JobControl& control) {
    if (sides.areVoxels()) {
        return volume;
    }
    auto smaller = std::make_shared<Image>(volume->type(), blocksOf(volume->extent(), sides));
    const VoxelSides& voxel = volume->sides();
    smaller->setSides({voxel.x * sides.x, voxel.y * sides.y, voxel.z * sides.z});
    dispatch(volume->type(), [&]<class T>(T) {
        const T* const from = volume->pixels<T>().data();
        T* const to = smaller->pixels<T>().data();
        forEachExtremum<T>(*volume, sides, extremum, control,
                           [&](std::size_t block, std::size_t voxelOfIt) { to[block] = from[voxelOfIt]; });
    });
    return smaller;
}

Buffer<std::uint32_t> numbersAtExtrema(const Image& volume, std::span<const std::uint32_t> numbers,
                                       const BlockSides& sides, Extremum extremum, const JobControl& control) {
    Buffer<std::uint32_t> found(blocksOf(volume.extent(), sides).pixelCount());
    std::uint32_t* const to = found.data();
    dispatch(volume.type(), [&]<class T>(T) {
        forEachExtremum<T>(volume, sides, extremum, control,
                           [&](std::size_t block, std::size_t voxel) { to[block] = numbers[voxel]; });
    });
    return found;
}

} // namespace pollard

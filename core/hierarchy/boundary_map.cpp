#include "hierarchy/boundary_map.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "image/image.hpp"
#include "image/volume_plane.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace pollard {

namespace {

BoundaryMap::Level fullBoundaries(const Hierarchy& hierarchy, const PlaneVoxels& voxels, const JobControl& control) {
    const Buffer<std::uint32_t>& basin = hierarchy.basins();
    const std::uint32_t width = voxels.width;
    BoundaryMap::Level level{width, voxels.height, Buffer<std::uint32_t>(std::size_t{width} * voxels.height)};
    const auto towards = [&](std::size_t pixel, std::size_t neighbour) -> std::uint32_t {
        return basin[pixel] == basin[neighbour] ? 0 : hierarchy.mergeOf(basin[pixel], basin[neighbour]) + 1;
    }; // kNoMerge + 1 is 0
    forEachIndex(voxels.height, control, [&](std::size_t y) {
        voxels.forEachInRow(static_cast<std::uint32_t>(y), [&](std::size_t pixel, std::size_t voxel) {
            const std::uint32_t right = pixel % width + 1 < width ? towards(voxel, voxel + voxels.right) : 0;
            const std::uint32_t below = y + 1 < voxels.height ? towards(voxel, voxel + voxels.down) : 0;
            level.merges[pixel] = std::max(right, below);
        });
    });
    return level;
}

BoundaryMap::Level halved(const BoundaryMap::Level& from, const JobControl& control) {
    const std::uint32_t width = from.width / 2 + from.width % 2;
    const std::uint32_t height = from.height / 2 + from.height % 2;
    BoundaryMap::Level level{width, height, Buffer<std::uint32_t>(std::size_t{width} * height)};
    forEachIndex(height, control, [&](std::size_t y) {
        const std::size_t above = 2 * y * from.width;
        const std::size_t below = std::min<std::size_t>(2 * y + 1, from.height - 1) * from.width;
        for (std::uint32_t x = 0; x != width; ++x) {
            const std::size_t left = std::size_t{x} * 2;
            const std::size_t right = std::min<std::size_t>(left + 1, from.width - 1);
            level.merges[y * width + x] = std::max({from.merges[above + left], from.merges[above + right],
                                                    from.merges[below + left], from.merges[below + right]});
        }
    });
    return level;
}

} // namespace

BoundaryMap::BoundaryMap(const Hierarchy& hierarchy, const VolumePlane& plane, const JobControl& control) {
    const PlaneVoxels voxels = voxelsOf(plane, hierarchy.extent());
    requireAvailable("map of boundaries: image of " + text(hierarchy.extent()),
                     sizeof(std::uint32_t) * std::uint64_t{voxels.width} * voxels.height * 4 / 3);
    try {
        levels_.push_back(fullBoundaries(hierarchy, voxels, control));
        while (levels_.back().width > 1 || levels_.back().height > 1) {
            levels_.push_back(halved(levels_.back(), control));
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "map of boundaries: not enough memory for an image of " + text(hierarchy.extent()));
    }
}

} // namespace pollard

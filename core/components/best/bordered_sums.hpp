#pragma once

#include "analysis/ellipse.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/best/brightness.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Sums over the slices of voxels, as PixelSums; 0 in an image.
struct SliceSums {
    std::uint64_t z = 0;
    std::uint64_t zz = 0;
    std::uint64_t xz = 0;
    std::uint64_t yz = 0;

    bool operator==(const SliceSums&) const = default;
};
/// Of pixels with the sums @p pixels in slice @p z.
[[nodiscard]] constexpr SliceSums sliceSumsOf(const PixelSums& pixels, std::uint32_t z) noexcept {
    return {pixels.area * z, pixels.area * z * z, pixels.x * z, pixels.y * z};
}

/// Sums over the pixels of a region and over the sides of its border: the sides between a pixel p in the region and a
/// pixel q outside it. A side has an inner sample, one pixel inside the border (the pixel before p, or p if that is not
/// in the region), and an outer sample, two pixels outside the border (the pixel after q, or q at the edge of the
/// image). Sides on the edge of the image are not counted. In a volume, a side is a face, which counts by its area, and
/// the samples along an axis are p and q if voxels are long there, see SideRule.
struct BorderedSums {
    PixelSums pixels;
    SliceSums slices;
    std::uint64_t grey = 0;  ///< numbers of the pixels, see Brightness
    std::uint64_t sides = 0; ///< weights of the sides of the border
    std::uint64_t inner = 0; ///< numbers of the inner samples, times the weights
    std::uint64_t outer = 0;

    BorderedSums& operator+=(const BorderedSums& other) noexcept;
    /// Adds the sums over the pixels alone.
    void addPixels(const BorderedSums& other) noexcept;
    bool operator==(const BorderedSums&) const = default;

    /// Mean over the sides of inner sample - outer sample, as a share of Brightness::kFull.
    [[nodiscard]] double borderContrast() const noexcept;
    /// Mean of the pixels - mean of the outer samples, as a share of Brightness::kFull.
    [[nodiscard]] double contrast() const noexcept;
    /// Mean of the pixels, as a share of Brightness::kFull.
    [[nodiscard]] double mean() const noexcept;
    /// 1 - area / area of the ellipse with the same second moments: 0 for an ellipse, else above 0.
    [[nodiscard]] double misfit() const noexcept;
    /// As misfit(), with the ellipsoid, and with the areas of the sections of balls that have the volumes. It does not
    /// depend on the sides of voxels.
    [[nodiscard]] double misfitInVolume() const noexcept;
};

/// How the sides of pixels across each axis count.
struct SideRule {
    std::array<std::uint32_t, 3> weight{}; ///< see faceWeights()
    /// Whether the samples are beside the side: their centres are nearer to 1.5 of the smallest sides from it.
    std::array<bool, 3> isNear{};

    explicit SideRule(const VoxelSides& sides) noexcept;
};

/// Indices of the pixels of a side of a pixel, see BorderedSums.
struct SidePixels {
    std::uint32_t before; ///< the pixel itself at the edge of the image
    std::uint32_t next;
    std::uint32_t after; ///< `next` at the edge of the image
    std::uint32_t weight;
};

/// Calls @p visit(SidePixels) for the sides of a pixel that have a pixel on the other side.
template <class Visit>
void forEachSide(const Voxel& at, const Extent& extent, const SideRule& rule, const Visit& visit) {
    const auto slice = static_cast<std::uint32_t>(extent.slicePixels());
    const std::uint32_t pixel = at.z * slice + at.y * extent.width + at.x;
    const auto along = [&](std::size_t axis, std::uint32_t place, std::uint32_t count, std::uint32_t step) {
        const bool isNear = rule.isNear[axis];
        const std::uint32_t back = place == 0 ? pixel : pixel - step;
        const std::uint32_t forth = place + 1 == count ? pixel : pixel + step;
        if (forth != pixel) {
            visit(SidePixels{isNear ? pixel : back, forth, isNear || place + 2 >= count ? forth : forth + step,
                             rule.weight[axis]});
        }
        if (back != pixel) {
            visit(
                SidePixels{isNear ? pixel : forth, back, isNear || place < 2 ? back : back - step, rule.weight[axis]});
        }
    };
    along(0, at.x, extent.width, 1);
    along(1, at.y, extent.height, extent.width);
    along(2, at.z, extent.slices, slice);
}

/// Nodes of a tree that may be objects, and their sums.
struct NodeCandidates {
    std::vector<std::uint32_t> nodes;  ///< ascending, so parents come first
    std::vector<std::uint32_t> parent; ///< the next candidate around, CutForest::kNone for none
    std::vector<BorderedSums> sums;
};

/// Selects nodes with at least @p least and at most @p most pixels; of a chain of nodes without branches only those at
/// least 4 % larger than the one before. O(nodes) for any height.
/// @param own result of countOwnPixels()
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] NodeCandidates selectCandidates(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                              std::uint64_t least, std::uint64_t most, const JobControl& control);

/// Fills `sums`. The border sums are exact: a side between p and q is on the border of the nodes from p's node up to,
/// not including, q's node, so it is added at the first and subtracted at the second; in the nodes above the level of
/// the pixel before p, p takes its place. O(pixels), parallel, independent of the number of threads.
/// @throws Error(outOfMemory), Cancelled
void measureCandidates(NodeCandidates& candidates, const ComponentTree& tree, const Brightness& image,
                       const JobControl& control);

} // namespace pollard

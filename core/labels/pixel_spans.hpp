#pragma once

#include "image/image.hpp"
#include "image/region_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Box of voxels, both ends included. An image has slice 0 alone.
struct LabelBox {
    Voxel first;
    Voxel last;

    [[nodiscard]] bool operator==(const LabelBox& other) const noexcept;
    /// Widens the box so that it covers another box.
    void add(const LabelBox& other) noexcept;
};

/// Pixels [first, last) of one row of an image or a volume, in raster order.
struct PixelSpan {
    std::size_t first = 0;
    std::size_t last = 0;

    bool operator==(const PixelSpan&) const = default;
};

/// Ascending and disjoint.
using PixelSpans = std::vector<PixelSpan>;

/// Where a tool works: a slice, and the reach of the tool around a point.
struct BrushTip {
    static constexpr double kLeast = 0.5; ///< radius of one pixel, px

    double radius = kLeast;  ///< px along x; less than kLeast is kLeast
    std::uint32_t slice = 0; ///< 0 in an image
    bool ball = false;       ///< also in other slices, within the same distance
    double sideY = 1;        ///< sides of a pixel along y and z, in its side along x
    double sideZ = 1;
};

/// The pixels within `radius` of a line through pixels: those whose centre has at most this distance to the path
/// between the centres of the pixels with the points. Points may lie outside the image. Empty for no points.
/// @throws Error(invalidArgument) for a coordinate, radius or side that is not finite
[[nodiscard]] PixelSpans strokeSpans(const Extent& extent, std::span<const RegionPoint> points, const BrushTip& tip);

/// The pixels of a slice whose centre lies in the polygon (even-odd rule, see makeRegionMask()); empty for fewer than
/// three corners.
[[nodiscard]] PixelSpans polygonSpans(const Extent& extent, std::span<const RegionPoint> corners, std::uint32_t slice);

/// The spans of a slice, repeated in slices [front, back].
[[nodiscard]] PixelSpans throughSlices(const Extent& extent, const PixelSpans& spans, std::uint32_t front,
                                       std::uint32_t back);

} // namespace pollard

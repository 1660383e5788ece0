#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A position in an image: pixel (x, y) covers [x, x + 1) x [y, y + 1), y points down.
struct RegionPoint {
    double x = 0;
    double y = 0;

    bool operator==(const RegionPoint&) const = default;
};

/// A closed shape in an image, in px. A pixel belongs to it if its centre lies inside; polygons use the even-odd rule.
struct RegionShape {
    enum class Kind : std::uint8_t {
        rectangle, ///< points are two opposite corners
        ellipse,   ///< points are two opposite corners of the bounding rectangle
        polygon,   ///< points are the corners in order, at least three
    };
    Kind kind = Kind::rectangle;
    std::vector<RegionPoint> points;

    bool operator==(const RegionShape&) const = default;
};

/// Upright rectangle [left, right] x [top, bottom] in px.
struct RegionBox {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;

    [[nodiscard]] double width() const noexcept { return right - left; }
    [[nodiscard]] double height() const noexcept { return bottom - top; }

    bool operator==(const RegionBox&) const = default;
};

/// Smallest upright rectangle around all points; nothing if there are none.
[[nodiscard]] std::optional<RegionBox> boundsOf(std::span<const RegionPoint> points) noexcept;

/// Whether a position lies inside a shape; edges count as in makeRegionMask(). Linear in the corners.
[[nodiscard]] bool contains(const RegionShape& shape, RegionPoint place) noexcept;

/// Exact area in px²; the magnitude of the signed sum for a polygon that crosses itself.
[[nodiscard]] double areaOf(const RegionShape& shape) noexcept;

/// The pixels of an image of shape (height, width) whose centre lies in at least one shape, or, if @p inverted, in
/// none. Polygons use the even-odd rule. Centres on a left or upper border are inside, on a right or lower one outside,
/// so that adjacent shapes share no pixel. O(height * corners + words), parallel over rows.
/// @throws Error(invalidArgument) if a side is 0; Cancelled
[[nodiscard]] Mask makeRegionMask(std::uint32_t width, std::uint32_t height, std::span<const RegionShape> shapes,
                                  bool inverted = false, const JobControl& control = {});

/// Smallest rectangle of pixels that covers all shapes within the image; nothing if no shape overlaps it.
[[nodiscard]] std::optional<PixelRegion> pixelBoundsOf(std::span<const RegionShape> shapes, std::uint32_t width,
                                                       std::uint32_t height) noexcept;

} // namespace pollard

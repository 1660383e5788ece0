#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A place in an image: pixel (x, y) covers [x, x + 1) x [y, y + 1), y runs down.
struct RegionPoint {
    double x = 0;
    double y = 0;

    bool operator==(const RegionPoint&) const = default;
};

/// A closed shape in an image, in px. A pixel belongs to it if the pixel's centre lies inside; a polygon that crosses
/// itself has an inside by the even-odd rule.
struct RegionShape {
    enum class Kind : std::uint8_t {
        rectangle, ///< points are two opposite corners
        ellipse,   ///< points are two opposite corners of the rectangle around it
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

/// Smallest upright rectangle around all points; nothing without points.
[[nodiscard]] std::optional<RegionBox> boundsOf(std::span<const RegionPoint> points) noexcept;

/// Whether a place lies inside of a shape; edges count by the rule of makeRegionMask(). Linear in the corners.
[[nodiscard]] bool contains(const RegionShape& shape, RegionPoint place) noexcept;

/// Area in px², borders exact (not counted in pixels); of a polygon that crosses itself the signed sum's magnitude.
[[nodiscard]] double areaOf(const RegionShape& shape) noexcept;

} // namespace pollard

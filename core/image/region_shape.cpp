#include "image/region_shape.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace pollard {
namespace {

bool insideBox(const RegionBox& box, RegionPoint place) {
    return place.x >= box.left && place.x < box.right && place.y >= box.top && place.y < box.bottom;
}

bool insideEllipse(const RegionBox& box, RegionPoint place) {
    if (!(box.width() > 0) || !(box.height() > 0)) {
        return false;
    }
    const double x = (place.x - (box.left + box.right) / 2) / (box.width() / 2);
    const double y = (place.y - (box.top + box.bottom) / 2) / (box.height() / 2);
    return x * x + y * y < 1;
}

/// Counts the edges that cross a ray to the right. An edge includes its upper end but not its lower one, so that the
/// ray crosses a corner once.
bool insidePolygon(std::span<const RegionPoint> points, RegionPoint place) {
    bool inside = false;
    for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
        const RegionPoint a = points[i];
        const RegionPoint b = points[j];
        if ((a.y > place.y) != (b.y > place.y) && place.x < a.x + (place.y - a.y) * (b.x - a.x) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    return inside;
}

} // namespace

std::optional<RegionBox> boundsOf(std::span<const RegionPoint> points) noexcept {
    if (points.empty()) {
        return std::nullopt;
    }
    RegionBox box{points[0].x, points[0].y, points[0].x, points[0].y};
    for (const RegionPoint& point : points) {
        box.left = std::min(box.left, point.x);
        box.right = std::max(box.right, point.x);
        box.top = std::min(box.top, point.y);
        box.bottom = std::max(box.bottom, point.y);
    }
    return box;
}

bool contains(const RegionShape& shape, RegionPoint place) noexcept {
    const auto box = boundsOf(shape.points);
    if (!box) {
        return false;
    }
    switch (shape.kind) {
    case RegionShape::Kind::rectangle:
        return insideBox(*box, place);
    case RegionShape::Kind::ellipse:
        return insideEllipse(*box, place);
    case RegionShape::Kind::polygon:
        return insidePolygon(shape.points, place);
    }
    return false;
}

double areaOf(const RegionShape& shape) noexcept {
    const auto box = boundsOf(shape.points);
    if (!box) {
        return 0;
    }
    if (shape.kind == RegionShape::Kind::rectangle) {
        return box->width() * box->height();
    }
    if (shape.kind == RegionShape::Kind::ellipse) {
        return std::numbers::pi / 4 * box->width() * box->height();
    }
    double twice = 0;
    for (std::size_t i = 0, j = shape.points.size() - 1; i < shape.points.size(); j = i++) {
        twice += shape.points[j].x * shape.points[i].y - shape.points[i].x * shape.points[j].y;
    }
    return std::abs(twice) / 2;
}

namespace {

constexpr std::size_t kRowsPerTask = 64;

/// First pixel whose centre is not left of @p border, clamped to [0, width].
std::uint32_t firstPixel(double border, std::uint32_t width) {
    return static_cast<std::uint32_t>(std::clamp(std::ceil(border - 0.5), 0.0, static_cast<double>(width)));
}

/// Fills rows of a shape. Each task has its own, for the list of crossings.
class RowFiller {
public:
    RowFiller(Mask& mask, bool value) : mask_(mask), value_(value) {}

    void fill(const RegionShape& shape, const RegionBox& box, std::uint32_t y) {
        const double centre = y + 0.5;
        switch (shape.kind) {
        case RegionShape::Kind::rectangle:
            run(box.left, box.right, y);
            break;
        case RegionShape::Kind::ellipse:
            fillEllipse(box, y);
            break;
        case RegionShape::Kind::polygon:
            fillPolygon(shape.points, centre, y);
            break;
        }
    }

private:
    void run(double left, double right, std::uint32_t y) {
        const std::uint32_t first = firstPixel(left, mask_.width());
        const std::uint32_t last = firstPixel(right, mask_.width());
        if (first < last) {
            mask_.setRun(first, last, y, value_);
        }
    }

    void fillEllipse(const RegionBox& box, std::uint32_t y) {
        if (!(box.width() > 0) || !(box.height() > 0)) {
            return;
        }
        const double v = (y + 0.5 - (box.top + box.bottom) / 2) / (box.height() / 2);
        if (v * v >= 1) {
            return;
        }
        const double half = std::sqrt(1 - v * v) * box.width() / 2;
        const double middle = (box.left + box.right) / 2;
        // One pixel more is tested on each side, so that contains() decides the border, not the rounding of a square
        // root.
        const RegionShape shape{RegionShape::Kind::ellipse, {{box.left, box.top}, {box.right, box.bottom}}};
        const auto inside = [&](double x) { return contains(shape, {x, y + 0.5}); };
        double first = std::ceil(middle - half - 0.5) - 1;
        double last = std::ceil(middle + half - 0.5) + 1;
        while (first < last && !inside(first + 0.5)) {
            ++first;
        }
        while (last > first && !inside(last - 0.5)) {
            --last;
        }
        run(first, last, y);
    }

    void fillPolygon(std::span<const RegionPoint> points, double centre, std::uint32_t y) {
        crossings_.clear();
        for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
            const RegionPoint a = points[i];
            const RegionPoint b = points[j];
            if ((a.y > centre) != (b.y > centre)) {
                crossings_.push_back(a.x + (centre - a.y) * (b.x - a.x) / (b.y - a.y));
            }
        }
        std::sort(crossings_.begin(), crossings_.end());
        for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) {
            run(crossings_[i], crossings_[i + 1], y);
        }
    }

    Mask& mask_;
    bool value_;
    std::vector<double> crossings_;
};

} // namespace

Mask makeRegionMask(std::uint32_t width, std::uint32_t height, std::span<const RegionShape> shapes, bool inverted,
                    const JobControl& control) {
    Mask mask(width, height, inverted);
    for (const RegionShape& shape : shapes) {
        const auto box = boundsOf(shape.points);
        if (!box) {
            continue;
        }
        const std::uint32_t first = firstPixel(box->top, height);
        const std::uint32_t last = firstPixel(box->bottom, height);
        if (first >= last) {
            continue;
        }
        forEachRange(
            last - first, control,
            [&](std::size_t begin, std::size_t end) {
                RowFiller filler(mask, !inverted);
                for (std::size_t row = begin; row != end; ++row) {
                    filler.fill(shape, *box, static_cast<std::uint32_t>(first + row));
                }
            },
            kRowsPerTask);
    }
    return mask;
}

std::optional<PixelRegion> pixelBoundsOf(std::span<const RegionShape> shapes, std::uint32_t width,
                                         std::uint32_t height) noexcept {
    std::uint32_t left = width;
    std::uint32_t top = height;
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;
    for (const RegionShape& shape : shapes) {
        const auto box = boundsOf(shape.points);
        if (!box) {
            continue;
        }
        left = std::min(left, firstPixel(box->left, width));
        right = std::max(right, firstPixel(box->right, width));
        top = std::min(top, firstPixel(box->top, height));
        bottom = std::max(bottom, firstPixel(box->bottom, height));
    }
    if (left >= right || top >= bottom) {
        return std::nullopt;
    }
    return PixelRegion{left, top, right - left, bottom - top};
}

} // namespace pollard

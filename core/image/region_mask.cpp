#include "image/region_mask.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard {
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

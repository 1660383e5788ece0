#include "labels/pixel_spans.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"

#include <algorithm>
#include <cmath>

namespace pollard {

namespace {

/// A place in units of the pixel's side along x.
struct TipPoint {
    double x;
    double y;
};

/// Part of a path of a brush tip between two places, in a slice at a distance from it.
class TipSegment {
public:
    /// @param reach squared, in the slice
    TipSegment(TipPoint from, TipPoint to, double reach) : from_(from), to_(to), reach_(reach) {}

    [[nodiscard]] double top() const { return std::min(from_.y, to_.y) - std::sqrt(reach_); }
    [[nodiscard]] double bottom() const { return std::max(from_.y, to_.y) + std::sqrt(reach_); }
    /// Whether a place is within reach.
    [[nodiscard]] bool holds(TipPoint at) const {
        const TipPoint along{to_.x - from_.x, to_.y - from_.y};
        const TipPoint away{at.x - from_.x, at.y - from_.y};
        const double length = along.x * along.x + along.y * along.y;
        const double place = length > 0 ? std::clamp((away.x * along.x + away.y * along.y) / length, 0., 1.) : 0.;
        const TipPoint rest{away.x - place * along.x, away.y - place * along.y};
        return rest.x * rest.x + rest.y * rest.y <= reach_;
    }
    /// Columns outside of which no place of a row is within reach.
    struct Columns {
        double left;
        double right;
    };
    [[nodiscard]] Columns columnsAt(double y) const {
        const double radius = std::sqrt(reach_);
        const double down = to_.y - from_.y;
        const auto placeAt = [&](double row, double level) {
            return down == 0 ? level : std::clamp((row - from_.y) / down, 0., 1.);
        };
        const double side = down < 0 ? -radius : radius;
        const double one = from_.x + placeAt(y - side, 0) * (to_.x - from_.x);
        const double other = from_.x + placeAt(y + side, 1) * (to_.x - from_.x);
        return {std::min(one, other) - radius, std::max(one, other) + radius};
    }

private:
    TipPoint from_;
    TipPoint to_;
    double reach_;
};

/// Pixel index of a coordinate, limited to one pixel outside the image.
std::int64_t pixelAt(double place, std::uint32_t count) {
    return static_cast<std::int64_t>(std::floor(std::clamp(place, -1., static_cast<double>(count))));
}

/// Adds the columns of a row within reach of a segment: an interval, because the area within reach is convex.
void addRow(const TipSegment& segment, double y, std::size_t start, std::uint32_t width, PixelSpans& spans) {
    const auto holds = [&](std::int64_t x) { return segment.holds({static_cast<double>(x) + .5, y}); };
    const TipSegment::Columns columns = segment.columnsAt(y);
    std::int64_t first = std::max<std::int64_t>(pixelAt(columns.left - 1, width), 0);
    std::int64_t last = std::min<std::int64_t>(pixelAt(columns.right + 1, width), std::int64_t{width} - 1);
    while (first <= last && !holds(first)) {
        ++first;
    }
    while (first < last && !holds(last)) {
        --last;
    }
    if (first <= last) {
        spans.push_back({start + static_cast<std::size_t>(first), start + static_cast<std::size_t>(last) + 1});
    }
}

/// Sorts and joins spans that overlap or touch in one row.
void join(PixelSpans& spans, std::uint32_t width) {
    std::ranges::sort(spans, {}, &PixelSpan::first);
    std::size_t count = 0;
    for (const PixelSpan& span : spans) {
        if (count != 0 && span.first <= spans[count - 1].last && span.first / width == spans[count - 1].first / width) {
            spans[count - 1].last = std::max(spans[count - 1].last, span.last);
        } else {
            spans[count++] = span;
        }
    }
    spans.resize(count);
}

} // namespace

bool LabelBox::operator==(const LabelBox& other) const noexcept {
    const auto same = [](const Voxel& a, const Voxel& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    return same(first, other.first) && same(last, other.last);
}

void LabelBox::add(const LabelBox& other) noexcept {
    first = {std::min(first.x, other.first.x), std::min(first.y, other.first.y), std::min(first.z, other.first.z)};
    last = {std::max(last.x, other.last.x), std::max(last.y, other.last.y), std::max(last.z, other.last.z)};
}

PixelSpans strokeSpans(const Extent& extent, std::span<const RegionPoint> points, const BrushTip& tip) {
    const auto isUsable = [](double number) { return std::isfinite(number) && std::abs(number) < 1e9; };
    if (!std::ranges::all_of(points, [&](const RegionPoint& at) { return isUsable(at.x) && isUsable(at.y); }) ||
        !isUsable(tip.radius) || !isUsable(tip.sideY) || !isUsable(tip.sideZ) || tip.sideY <= 0 || tip.sideZ <= 0) {
        throw Error(ErrorCode::invalidArgument, "brush: a coordinate, the radius or a side is no number in its range");
    }
    const double radius = std::max(tip.radius, BrushTip::kLeast);
    const auto placeOf = [&](const RegionPoint& at) {
        return TipPoint{std::floor(at.x) + .5, (std::floor(at.y) + .5) * tip.sideY};
    };
    PixelSpans spans;
    const auto addIn = [&](std::uint32_t z, double reach) {
        for (std::size_t i = points.size() == 1 ? 0 : 1; i < points.size(); ++i) {
            const TipSegment segment(placeOf(points[i == 0 ? 0 : i - 1]), placeOf(points[i]), reach);
            const std::int64_t top = std::max<std::int64_t>(pixelAt(segment.top() / tip.sideY, extent.height), 0);
            const std::int64_t bottom = std::min<std::int64_t>(pixelAt(segment.bottom() / tip.sideY, extent.height),
                                                               std::int64_t{extent.height} - 1);
            for (std::int64_t y = top; y <= bottom; ++y) {
                const std::size_t row = std::size_t{z} * extent.height + static_cast<std::size_t>(y);
                addRow(segment, (static_cast<double>(y) + .5) * tip.sideY, row * extent.width, extent.width, spans);
            }
        }
    };
    for (std::uint32_t z = 0; z < extent.slices; ++z) {
        const double away = (static_cast<double>(z) - tip.slice) * tip.sideZ;
        if (z == tip.slice || (tip.ball && std::abs(away) <= radius)) {
            addIn(z, radius * radius - away * away);
        }
    }
    join(spans, extent.width);
    return spans;
}

PixelSpans polygonSpans(const Extent& extent, std::span<const RegionPoint> corners, std::uint32_t slice) {
    PixelSpans spans;
    if (corners.size() < 3 || slice >= extent.slices) {
        return spans;
    }
    const RegionShape shape{RegionShape::Kind::polygon, {corners.begin(), corners.end()}};
    const auto bounds = pixelBoundsOf(std::span(&shape, 1), extent.width, extent.height);
    if (!bounds) {
        return spans;
    }
    const Mask mask = makeRegionMask(extent.width, extent.height, std::span(&shape, 1));
    for (std::uint32_t y = bounds->y; y < bounds->y + bounds->height; ++y) {
        const std::size_t start = (std::size_t{slice} * extent.height + y) * extent.width;
        forEachRun(mask, y, true, [&](std::uint32_t first, std::uint32_t last) {
            spans.push_back({start + first, start + last});
        });
    }
    return spans;
}

PixelSpans throughSlices(const Extent& extent, const PixelSpans& spans, std::uint32_t front, std::uint32_t back) {
    PixelSpans all;
    for (std::uint32_t z = front; z <= back && z < extent.slices; ++z) {
        for (const PixelSpan& span : spans) {
            const std::size_t from = span.first % extent.slicePixels() + z * extent.slicePixels();
            all.push_back({from, from + (span.last - span.first)});
        }
    }
    return all;
}

} // namespace pollard

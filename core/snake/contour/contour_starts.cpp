#include "snake/contour/contour_starts.hpp"

#include "base/error.hpp"
#include "components/outline_files/outlines.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Number of nodes of an ellipse.
constexpr double kFewestNodes = 8;
constexpr double kMostNodes = 1024;

Contour everyNode(const Contour& ring, std::uint32_t spacing) {
    Contour nodes;
    for (const ContourNode node : ring) {
        if (nodes.empty() || std::cmp_greater_equal(extentOf(nodes.back(), node), spacing)) {
            nodes.push_back(node);
        }
    }
    if (nodes.size() > 3 && std::cmp_less(extentOf(nodes.back(), nodes.front()), spacing)) {
        nodes.pop_back();
    }
    return nodes;
}

std::vector<RegionPoint> cornersOf(const RegionShape& shape, std::uint32_t spacing) {
    if (shape.kind == RegionShape::Kind::polygon) {
        return shape.points;
    }
    const RegionBox box = boundsOf(shape.points).value_or(RegionBox{});
    if (shape.kind == RegionShape::Kind::rectangle) {
        return {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    }
    const double around = std::numbers::pi * (box.width() + box.height()) / 2;
    const double count = std::clamp(std::round(around / spacing), kFewestNodes, kMostNodes);
    std::vector<RegionPoint> corners;
    for (int i = 0; i < static_cast<int>(count); ++i) {
        const double angle = 2 * std::numbers::pi * i / count;
        corners.push_back({(box.left + box.right + box.width() * std::cos(angle)) / 2,
                           (box.top + box.bottom + box.height() * std::sin(angle)) / 2});
    }
    return corners;
}

/// Pixels of an object in its bounding box.
Mask maskOf(const Components& components, std::uint32_t label) {
    const ComponentRecord& object = components.objects[label - 1];
    Mask mask(object.width(), object.height(), false);
    for (std::uint32_t y = object.top; y <= object.bottom; ++y) {
        for (std::uint32_t x = object.left; x <= object.right; ++x) {
            if (components.labels[std::size_t{y} * components.width + x] == label) {
                mask.set(x - object.left, y - object.top, true);
            }
        }
    }
    return mask;
}

/// A pixel of the mask inside a contour, the first one in the order of rows.
std::optional<ContourNode> firstInside(const Contour& contour, const Mask& mask) {
    const ContourRows rows(contour);
    for (std::int32_t y = rows.top(); y < rows.bottom(); ++y) {
        std::optional<ContourNode> found;
        rows.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t x = first; x < last && !found; ++x) {
                if (mask.test(x, static_cast<std::uint32_t>(y))) {
                    found = {static_cast<std::int32_t>(x), y};
                }
            }
        });
        if (found) {
            return found;
        }
    }
    return {};
}

/// The pixels of a contour that are not in a mask.
Mask restOf(const Contour& contour, const Mask& taken) {
    Mask rest(taken.width(), taken.height(), false);
    const ContourRows rows(contour);
    for (std::int32_t row = rows.top(); row < rows.bottom(); ++row) {
        const auto y = static_cast<std::uint32_t>(row);
        rows.forEachRun(row, [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t x = first; x < last; ++x) {
                rest.set(x, y, !taken.test(x, y));
            }
        });
    }
    return rest;
}

/// The outline of the largest part of a mask without holes, after cuts from the holes upwards.
Contour outlineWithoutHoles(Mask rest, const Mask& taken, const JobControl& control) {
    constexpr int kMostCuts = 100;
    for (int cut = 0; cut < kMostCuts; ++cut) {
        Contour outline = outlineOf(rest, {}, control);
        const auto hole = firstInside(outline, taken);
        if (!hole) {
            return outline;
        }
        const auto x = static_cast<std::uint32_t>(hole->x);
        for (auto y = static_cast<std::uint32_t>(hole->y); y > 0 && rest.test(x, y - 1); --y) {
            rest.set(x, y - 1, false);
        }
    }
    refuseOverlap();
}

} // namespace

Contour withoutPixels(const Contour& contour, const Mask& taken, const SnakeSpec& spec, const JobControl& control) {
    if (!firstInside(contour, taken)) {
        return contour;
    }
    const Mask rest = restOf(contour, taken);
    if (rest.count() == 0) {
        refuseOverlap();
    }
    const Contour outline = outlineWithoutHoles(rest, taken, control);
    std::uint32_t spacing = spec.minLength;
    Contour nodes = thinned(outline, spacing, spec.maxNodes);
    while (spacing > 1 && firstInside(nodes, taken)) {
        spacing /= 2;
        nodes = thinned(outline, spacing, spec.maxNodes);
    }
    if (restOf(nodes, taken).count() < std::max(spec.minPixels, 1U)) {
        refuseOverlap();
    }
    return nodes;
}

void refuseOverlap() {
    throw Error(ErrorCode::invalidArgument, "region snake: the start overlaps the forbidden area. Erase it there, or "
                                            "draw another start");
}

Contour thinned(const Contour& ring, std::uint32_t spacing, std::size_t mostNodes) {
    const std::int64_t area = twiceSignedArea(ring);
    for (; spacing > 1; spacing /= 2) {
        Contour nodes = everyNode(ring, spacing);
        if (nodes.size() > mostNodes) {
            break;
        }
        if (nodes.size() >= 3 && isSimple(nodes) && 4 * std::abs(twiceSignedArea(nodes) - area) <= std::abs(area)) {
            return nodes;
        }
    }
    if (ring.size() > mostNodes) {
        throw Error(ErrorCode::invalidArgument, "the outline has too many corners for a contour of " +
                                                    std::to_string(mostNodes) + " nodes at most");
    }
    return ring;
}

Contour contourOf(const RegionShape& shape, std::uint32_t spacing, std::uint32_t width, std::uint32_t height) {
    const auto cornerAt = [](double place, std::uint32_t limit) {
        return static_cast<std::int32_t>(std::lround(std::clamp(place, 0.0, static_cast<double>(limit))));
    };
    Contour nodes;
    for (const RegionPoint corner : cornersOf(shape, spacing)) {
        const ContourNode node{cornerAt(corner.x, width), cornerAt(corner.y, height)};
        if (nodes.empty() || nodes.back() != node) {
            nodes.push_back(node);
        }
    }
    while (nodes.size() > 1 && nodes.back() == nodes.front()) {
        nodes.pop_back();
    }
    return nodes;
}

Contour outlineOf(const Mask& mask, ContourNode offset, const JobControl& control) {
    ComponentsSpec spec;
    spec.features = false;
    const Components parts = labelComponents(mask, nullptr, spec, control);
    const Outlines outlines = traceOutlines(parts, control);
    Contour largest;
    for (const OutlineRing& ring : outlines.rings) {
        if (ring.hole) {
            continue;
        }
        Contour nodes;
        for (const OutlinePoint point : outlines.pointsOf(ring)) {
            nodes.push_back(
                {offset.x + static_cast<std::int32_t>(point.x), offset.y + static_cast<std::int32_t>(point.y)});
        }
        if (largest.empty() || twiceSignedArea(nodes) > twiceSignedArea(largest)) {
            largest = std::move(nodes);
        }
    }
    if (largest.empty()) {
        throw Error(ErrorCode::invalidArgument, "there is no pixel to take the outline of");
    }
    return largest;
}

void requireFewContours(std::size_t number) {
    if (number > kMostContours) {
        throw Error(ErrorCode::limitExceeded, "region snake: " + std::to_string(number) + " contours, where " +
                                                  std::to_string(kMostContours) + " are the most");
    }
}

ThinnedOutlines::ThinnedOutlines(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height)
    : spec_(spec), taken_(Mask(width, height, false)) {}

void ThinnedOutlines::add(const Contour& outline) {
    std::uint32_t spacing = spec_.minLength;
    Contour contour = thinned(outline, spacing, spec_.maxNodes);
    while (spacing > 1 && taken_.inside(contour) != 0) {
        spacing /= 2;
        contour = thinned(outline, spacing, spec_.maxNodes);
    }
    addUnthinned(std::move(contour));
}

void ThinnedOutlines::addUnthinned(Contour contour) {
    taken_.fill(contour, true);
    contours_.push_back(std::move(contour));
}

std::vector<Contour> contoursOf(std::span<const RegionShape> shapes, const SnakeSpec& spec, std::uint32_t width,
                                std::uint32_t height) {
    std::vector<Contour> contours;
    contours.reserve(shapes.size());
    for (const RegionShape& shape : shapes) {
        contours.push_back(contourOf(shape, spec.minLength, width, height));
    }
    return contours;
}

std::vector<Contour> outlinesOf(const Components& components, std::span<const std::uint32_t> labels,
                                const SnakeSpec& spec, const JobControl& control) {
    ThinnedOutlines outlines(spec, components.width, components.height);
    for (const std::uint32_t label : labels) {
        const ComponentRecord& object = components.objects[label - 1];
        const ContourNode corner{static_cast<std::int32_t>(object.left), static_cast<std::int32_t>(object.top)};
        outlines.add(outlineOf(maskOf(components, label), corner, control));
    }
    return outlines.take();
}

} // namespace pollard

#include "snake/contour/contour_starts.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour_start.hpp"

#include <string>
#include <utility>

namespace pollard {

namespace {

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

} // namespace

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

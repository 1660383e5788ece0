#include "contour_starts.hpp"

#include "base/error.hpp"
#include "snake/contour_start.hpp"
#include "snake/row_counts.hpp"

#include <string>
#include <utility>

namespace pollard::vm {

namespace {

void requireFew(std::size_t number) {
    if (number > kMostContours) {
        throw Error(ErrorCode::limitExceeded, "region snake: " + std::to_string(number) + " contours, where " +
                                                  std::to_string(kMostContours) + " are the most");
    }
}

/// The pixels of an object within the rectangle around it.
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

/// Thins outlines one after another.
class ThinnedOutlines {
public:
    ThinnedOutlines(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height)
        : spec_(spec), taken_(Mask(width, height, false)) {}

    void add(const Contour& outline) {
        std::uint32_t spacing = spec_.minLength;
        Contour contour = thinned(outline, spacing, spec_.maxNodes);
        while (spacing > 1 && taken_.inside(contour) != 0) {
            spacing /= 2;
            contour = thinned(outline, spacing, spec_.maxNodes);
        }
        taken_.fill(contour, true);
        contours_.push_back(std::move(contour));
    }
    [[nodiscard]] std::vector<Contour> take() { return std::move(contours_); }

private:
    const SnakeSpec& spec_;
    RowCounts taken_; ///< by those before
    std::vector<Contour> contours_;
};

} // namespace

std::vector<Contour> contoursOf(const std::vector<RegionShape>& shapes, const SnakeSpec& spec, std::uint32_t width,
                                std::uint32_t height) {
    std::vector<Contour> contours;
    contours.reserve(shapes.size());
    for (const RegionShape& shape : shapes) {
        contours.push_back(contourOf(shape, spec.minLength, width, height));
    }
    return contours;
}

MakeContours outlinesOf(const std::shared_ptr<const FoundObjects>& objects, std::vector<std::uint32_t> labels,
                        const SnakeSpec& spec) {
    return [objects, labels = std::move(labels), spec](const JobControl& control) {
        requireFew(labels.size());
        const Components& components = objects->components;
        ThinnedOutlines outlines(spec, components.width, components.height);
        for (const std::uint32_t label : labels) {
            const ComponentRecord& object = components.objects[label - 1];
            const ContourNode corner{static_cast<std::int32_t>(object.left), static_cast<std::int32_t>(object.top)};
            outlines.add(outlineOf(maskOf(components, label), corner, control));
        }
        return outlines.take();
    };
}

MakeContours outlinesOf(const std::shared_ptr<const ComponentTree>& tree, const std::shared_ptr<const NodeSet>& nodes,
                        const SnakeSpec& spec) {
    return [tree, nodes, spec](const JobControl& control) {
        const std::vector<NodeInterval> components = maximalComponents(*tree, *nodes);
        requireFew(components.size());
        ThinnedOutlines outlines(spec, tree->width, tree->height);
        for (const NodeInterval& component : components) {
            control.throwIfStopped();
            outlines.add(outlineOf(maskOfNodes(*tree, flagsOf(*tree, {component})), {}, control));
        }
        return outlines.take();
    };
}

} // namespace pollard::vm

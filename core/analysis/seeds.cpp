#include "analysis/seeds.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace pollard {
namespace {

/// Value of the last maximum of an object by SeedMeasure::height, above all bounds.
constexpr std::uint64_t kNeverLost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
/// Pixels of a serial pass between two looks at the stop request.
constexpr std::size_t kPixelsToStop = 1U << 20;

} // namespace

std::string_view nameOf(SeedMeasure by) noexcept {
    switch (by) {
    case SeedMeasure::dynamics:
        return "dynamics";
    case SeedMeasure::area:
        return "area";
    case SeedMeasure::volume:
        return "volume";
    case SeedMeasure::height:
        break;
    }
    return "h";
}

std::optional<SeedMeasure> seedMeasureOf(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kAllSeedMeasures, name, [](SeedMeasure each) { return nameOf(each); });
    return found == kAllSeedMeasures.end() ? std::nullopt : std::optional(*found);
}

SeedTree::SeedTree(std::shared_ptr<const ComponentTree> tree, SeedMeasure by, Buffer<std::uint64_t> measure,
                   LabelImage objects, const JobControl& control)
    : tree_(std::move(tree)), by_(by), objects_(std::move(objects)), extinction_(std::move(measure)) {
    const Survivors survivors = survivorsOf(*tree_, extinction_, control);
    if (isMasked()) {
        placeObjects(survivors, control);
    } else if (by_ == SeedMeasure::height) {
        extinction_[0] = kNeverLost;
    }
    sweepDown(*tree_, control, [&](std::uint32_t node, std::uint32_t parent) {
        if (survivors.heir[parent] == node && (parent != 0 || !isMasked())) {
            extinction_[node] = extinction_[parent];
        }
    });
}

/// Sets the values of the last maxima of objects. The root has the level of the pixels outside the mask, so each of its
/// children lies in one object; an object without pixels at this level is one child.
void SeedTree::placeObjects(const Survivors& survivors, const JobControl& control) {
    struct Object {
        std::uint64_t pixels = 0;
        std::uint64_t atRoot = 0;  ///< pixels at the level of the root
        std::uint64_t measure = 0; ///< of the children of the root
        std::uint32_t heir = 0;    ///< child of the root with the last maximum
    };
    std::vector<Object> objects(std::size_t{objects_.count} + 1);
    for (std::size_t p = 0; p != objects_.labels.size(); ++p) {
        if (p % kPixelsToStop == 0) {
            control.throwIfStopped();
        }
        Object& object = objects[objects_.labels[p]];
        ++object.pixels;
        object.atRoot += tree_->pixelNode[p] == 0 ? 1 : 0;
    }
    for (std::uint32_t child = 1; child < tree_->nodeCount(); child = tree_->subtreeEnd[child]) {
        Object& object = objects[objects_.labels[tree_->canonical[child]]];
        const std::uint64_t measure = extinction_[child];
        const std::uint64_t rival = object.heir == 0 ? 0 : extinction_[object.heir];
        if (object.heir == 0 || measure > rival ||
            (measure == rival && survivors.leaf[child] < survivors.leaf[object.heir])) {
            object.heir = child;
        }
        object.measure = by_ == SeedMeasure::volume ? object.measure + measure : std::max(object.measure, measure);
    }
    flat_.resize(objects.size());
    for (std::size_t label = 1; label != objects.size(); ++label) {
        const Object& object = objects[label];
        const std::uint64_t lost = object.atRoot == 0 ? rise(object.heir, 0) : 0; // of the rise, below the object
        const std::uint64_t last = by_ == SeedMeasure::height   ? kNeverLost
                                   : by_ == SeedMeasure::area   ? object.pixels
                                   : by_ == SeedMeasure::volume ? object.measure - object.pixels * lost
                                                                : object.measure - lost;
        if (object.heir == 0) {
            flat_[label] = last;
        } else {
            extinction_[object.heir] = last;
        }
    }
}

std::uint32_t SeedTree::rise(std::uint32_t node, std::uint32_t below) const noexcept {
    return static_cast<std::uint32_t>(std::abs(int{tree_->level[node]} - int{tree_->level[below]}));
}

LabelImage SeedTree::seeds(std::uint64_t least, const JobControl& control) const {
    const ComponentTree& tree = *tree_;
    const auto nodes = static_cast<std::uint32_t>(tree.nodeCount());
    const bool isHeight = by_ == SeedMeasure::height;
    const std::uint64_t bound = isHeight ? least + 1 : least;
    std::uint32_t count = 0;
    std::vector<std::uint32_t> ofObject(flat_.size()); // labels of objects that are a seed as a whole
    for (std::size_t object = 0; object != flat_.size(); ++object) {
        ofObject[object] = flat_[object] && *flat_[object] >= bound ? ++count : 0;
    }
    Buffer<std::uint32_t> ofNode(nodes);
    std::fill(ofNode.begin(), ofNode.end(), 0U);
    for (std::uint32_t leaf = isMasked() ? 1 : 0; leaf < nodes; ++leaf) {
        if (leaf % (1U << 16) == 0) {
            control.throwIfStopped();
        }
        if (tree.subtreeEnd[leaf] != leaf + 1 || extinction_[leaf] < bound) {
            continue;
        }
        ++count;
        std::uint32_t top = leaf;
        while (isHeight && top != 0 && rise(leaf, tree.parent[top]) <= least) {
            top = tree.parent[top];
        }
        if (top == 0 && isMasked()) {
            ofObject[objects_.labels[tree.canonical[leaf]]] = count;
        } else {
            std::fill(ofNode.begin() + top, ofNode.begin() + tree.subtreeEnd[top], count);
        }
    }
    LabelImage result{Buffer<std::uint32_t>(tree.pixelCount()), tree.width, tree.height, count, tree.slices};
    forEachIndex(result.labels.size(), control, [&](std::size_t p) {
        const std::uint32_t object = isMasked() ? ofObject[objects_.labels[p]] : 0;
        result.labels[p] = object != 0 ? object : ofNode[tree.pixelNode[p]];
    });
    numberInOrder(
        result, [](std::uint32_t) { return true; }, control);
    return result;
}

void numberInOrder(LabelImage& image, const std::function<bool(std::uint32_t)>& keeps, const JobControl& control) {
    std::vector<std::uint32_t> numbers(std::size_t{image.count} + 1, kNone);
    numbers[0] = 0;
    image.count = 0;
    for (std::size_t i = 0; i != image.labels.size(); ++i) {
        if (i % kPixelsToStop == 0) {
            control.throwIfStopped();
        }
        std::uint32_t& number = numbers[image.labels[i]];
        if (number == kNone) {
            number = keeps(image.labels[i]) ? ++image.count : 0;
        }
    }
    forEachIndex(image.labels.size(), control, [&](std::size_t i) { image.labels[i] = numbers[image.labels[i]]; });
}

LabelImage seedsAt(const Extent& extent, std::span<const Voxel> points) {
    LabelImage result{Buffer<std::uint32_t>(extent.pixelCount()), extent.width, extent.height, 0, extent.slices};
    std::fill(result.labels.begin(), result.labels.end(), 0);
    for (const Voxel& point : points) {
        ++result.count;
        if (point.x >= extent.width || point.y >= extent.height || point.z >= extent.slices) {
            throw Error(ErrorCode::invalidArgument,
                        "seeds: point " + std::to_string(result.count) + " is outside the image of " + text(extent));
        }
        std::uint32_t& label = result.labels[(std::size_t{point.z} * extent.height + point.y) * extent.width + point.x];
        label = label == 0 ? result.count : label;
    }
    return result;
}

} // namespace pollard

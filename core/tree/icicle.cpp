#include "tree/icicle.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pollard {

namespace {

constexpr double kMargin = 1.0 / 24; ///< of the heights that are shown, above them
constexpr std::size_t kPixelsPerLook = 1 << 22;

/// Sides of the boxes from the number of pixels that each node has of its own.
Buffer<std::uint32_t> startsOf(const ComponentTree& tree, const JobControl& control) {
    const std::size_t nodes = tree.nodeCount();
    Buffer<std::uint32_t> start(nodes + 1);
    std::ranges::fill(start, 0U);
    std::uint32_t* const own = start.data() + 1;
    for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
        if (p % kPixelsPerLook == 0) {
            control.throwIfStopped();
        }
        ++own[tree.pixelNode[p]];
    }
    for (std::size_t n = 0; n < nodes; ++n) {
        own[n] += start[n];
    }
    return start;
}

Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, IcicleHeight measure) {
    Buffer<std::uint16_t> height(tree.nodeCount());
    if (measure == IcicleHeight::level) {
        const int root = tree.level[0];
        std::ranges::transform(tree.level, height.begin(), [root](std::uint16_t level) {
            return static_cast<std::uint16_t>(std::abs(level - root));
        });
        return height;
    }
    height[0] = 0;
    for (std::size_t n = 1; n < height.size(); ++n) {
        height[n] = static_cast<std::uint16_t>(height[tree.parent[n]] + 1); // levels grow along a chain
    }
    return height;
}

Buffer<std::uint16_t> deepestOf(const ComponentTree& tree, const Buffer<std::uint16_t>& height) {
    Buffer<std::uint16_t> deepest(height.size());
    std::ranges::copy(height, deepest.begin());
    for (std::size_t n = height.size() - 1; n > 0; --n) {
        deepest[tree.parent[n]] = std::max(deepest[tree.parent[n]], deepest[n]);
    }
    return deepest;
}

} // namespace

std::uint32_t IcicleLayout::nodeAt(std::uint32_t place) const noexcept {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(start, place) - start.begin() - 1);
}

IcicleRect IcicleLayout::boxOf(std::uint32_t node) const noexcept {
    const double top = node == 0 ? whole().top : height[tree->parent[node]];
    return {static_cast<double>(start[node]), static_cast<double>(start[tree->subtreeEnd[node]]), top,
            static_cast<double>(height[node])};
}

IcicleRect IcicleLayout::subtreeOf(std::uint32_t node) const noexcept {
    const double above = height[tree->parent[node]];
    const double bottom = deepest[node];
    return {static_cast<double>(start[node]), static_cast<double>(start[tree->subtreeEnd[node]]),
            above - std::max(1.0, (bottom - above) * kMargin), bottom};
}

IcicleLayout layOutIcicle(std::shared_ptr<const ComponentTree> tree, IcicleHeight measure, const JobControl& control) {
    IcicleLayout layout;
    layout.measure = measure;
    layout.start = startsOf(*tree, control);
    layout.height = heightsOf(*tree, measure);
    layout.deepest = deepestOf(*tree, layout.height);
    layout.tree = std::move(tree);
    return layout;
}

} // namespace pollard

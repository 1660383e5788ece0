#include "tree/icicle.hpp"

#include "base/parallel.hpp"
#include "tree/pixel_list.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace pollard {

namespace {

constexpr double kMargin = 1.0 / 24; ///< margin above, as a fraction of the shown heights

Buffer<std::uint32_t> startsOf(const ComponentTree& tree, const JobControl& control) {
    const Buffer<std::uint32_t> own = countOwnPixels(tree, control);
    Buffer<std::uint32_t> start(own.size() + 1);
    start[0] = 0;
    std::inclusive_scan(own.begin(), own.end(), start.begin() + 1);
    return start;
}

Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, IcicleHeight measure, const JobControl& control) {
    Buffer<std::uint16_t> height(tree.nodeCount());
    if (measure == IcicleHeight::level) {
        const int root = tree.level[0];
        forEachIndex(height.size(), control,
                     [&](std::size_t n) { height[n] = static_cast<std::uint16_t>(std::abs(tree.level[n] - root)); });
        return height;
    }
    height[0] = 0;
    sweepDown(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        height[node] = static_cast<std::uint16_t>(height[parent] + 1); // fits: a chain has at most one node per level
    });
    return height;
}

Buffer<std::uint16_t> deepestOf(const ComponentTree& tree, const Buffer<std::uint16_t>& height,
                                const JobControl& control) {
    Buffer<std::uint16_t> deepest(height.size());
    std::ranges::copy(height, deepest.begin());
    sweepUp(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        deepest[parent] = std::max(deepest[parent], deepest[node]);
    });
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
    layout.height = heightsOf(*tree, measure, control);
    layout.deepest = deepestOf(*tree, layout.height, control);
    layout.tree = std::move(tree);
    return layout;
}

} // namespace pollard

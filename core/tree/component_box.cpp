#include "tree/component_box.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace pollard {

namespace {

struct Extent {
    std::uint32_t left = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t top = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t right = 0; ///< last column
    std::uint32_t bottom = 0;
    std::uint64_t pixels = 0;

    [[nodiscard]] static Extent join(const Extent& a, const Extent& b) {
        return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
                std::max(a.bottom, b.bottom), a.pixels + b.pixels};
    }
};

} // namespace

ComponentBox boxOfComponent(const ComponentTree& tree, std::uint32_t node, const JobControl& control) {
    const std::uint32_t count = tree.subtreeEnd[node] - node;
    const Extent extent = tbb::parallel_reduce(
        tbb::blocked_range<std::uint32_t>(0, tree.height), Extent{},
        [&](const tbb::blocked_range<std::uint32_t>& rows, Extent found) {
            if (control.stopRequested()) {
                return found;
            }
            for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                const std::uint32_t* const nodes = tree.pixelNode.data() + std::size_t{y} * tree.width;
                std::uint32_t pixels = 0;
                for (std::uint32_t x = 0; x < tree.width; ++x) {
                    if (nodes[x] - node < count) { // less than 0 wraps to a large number
                        found.left = std::min(found.left, x);
                        found.right = std::max(found.right, x);
                        ++pixels;
                    }
                }
                if (pixels != 0) {
                    found.top = std::min(found.top, y);
                    found.bottom = std::max(found.bottom, y);
                    found.pixels += pixels;
                }
            }
            return found;
        },
        Extent::join);
    control.throwIfStopped();
    return {{extent.left, extent.top, extent.right - extent.left + 1, extent.bottom - extent.top + 1}, extent.pixels};
}

} // namespace pollard

#include "tree/component_paint.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <limits>

namespace pollard {

namespace {

struct Bounds {
    std::uint32_t left = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t top = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t right = 0; ///< last column
    std::uint32_t bottom = 0;
    std::uint32_t front = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t back = 0; ///< last slice
    std::uint64_t pixels = 0;

    [[nodiscard]] static Bounds join(const Bounds& a, const Bounds& b) {
        return {std::min(a.left, b.left),     std::min(a.top, b.top),     std::max(a.right, b.right),
                std::max(a.bottom, b.bottom), std::min(a.front, b.front), std::max(a.back, b.back),
                a.pixels + b.pixels};
    }
};

constexpr std::size_t kRowsPerTask = 16;

/// @param isNodeIn whether to paint a node; also called with the value of pixels outside every node
template <class IsIn> void paintWhere(const NodePaint& paint, std::span<std::uint32_t> out, const IsIn& isNodeIn) {
    const ComponentTree& tree = *paint.tree;
    const std::size_t width = paint.columns.size();
    const std::size_t lastRow = paint.rows.empty() ? 0 : paint.rows.size() - 1;
    const PlaneVoxels voxels = voxelsOf(paint.plane, tree.extent());
    const auto nodesOf = [&](std::size_t y) { return voxels.voxelAt(0, paint.rows[y]); };
    const auto isIn = [&](std::size_t row, std::size_t x) {
        return isNodeIn(tree.pixelNode[row + paint.columns[x] * voxels.right]);
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, paint.rows.size(), kRowsPerTask), [&](const auto& rows) {
        for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
            const std::size_t above = nodesOf(y == 0 ? 0 : y - 1);
            const std::size_t nodes = nodesOf(y);
            const std::size_t below = nodesOf(std::min(y + 1, lastRow));
            std::uint32_t* const line = out.data() + y * width;
            for (std::size_t x = 0; x < width; ++x) {
                if (!isIn(nodes, x)) {
                    line[x] = 0;
                    continue;
                }
                const bool inner = isIn(nodes, x == 0 ? 0 : x - 1) && isIn(nodes, std::min(x + 1, width - 1)) &&
                                   isIn(above, x) && isIn(below, x);
                line[x] = inner ? paint.fill : paint.outline;
            }
        }
    });
}

} // namespace

ComponentBox boxOfComponent(const ComponentTree& tree, std::uint32_t node, const JobControl& control) {
    const std::uint32_t count = tree.subtreeEnd[node] - node;
    const Bounds extent = tbb::parallel_reduce(
        tbb::blocked_range<std::uint64_t>(0, tree.extent().rows()), Bounds{},
        [&](const tbb::blocked_range<std::uint64_t>& rows, Bounds found) {
            if (control.stopRequested()) {
                return found;
            }
            for (std::uint64_t row = rows.begin(); row != rows.end(); ++row) {
                const std::uint32_t* const nodes = tree.pixelNode.data() + row * tree.width;
                std::uint32_t pixels = 0;
                for (std::uint32_t x = 0; x < tree.width; ++x) {
                    if (nodes[x] - node < count) { // less than 0 wraps to a large number
                        found.left = std::min(found.left, x);
                        found.right = std::max(found.right, x);
                        ++pixels;
                    }
                }
                if (pixels != 0) {
                    const auto y = static_cast<std::uint32_t>(row % tree.height);
                    const auto z = static_cast<std::uint32_t>(row / tree.height);
                    found.front = std::min(found.front, z);
                    found.back = std::max(found.back, z);
                    found.top = std::min(found.top, y);
                    found.bottom = std::max(found.bottom, y);
                    found.pixels += pixels;
                }
            }
            return found;
        },
        Bounds::join);
    control.throwIfStopped();
    return {{extent.left, extent.top, extent.right - extent.left + 1, extent.bottom - extent.top + 1},
            extent.pixels,
            extent.front,
            extent.back - extent.front + 1};
}

void paintComponent(const NodePaint& paint, std::uint32_t node, std::span<std::uint32_t> out) {
    const std::uint32_t count = paint.tree->subtreeEnd[node] - node;
    paintWhere(paint, out, [=](std::uint32_t each) { return each - node < count; }); // less than 0 wraps to a large
                                                                                     // number
}

void paintNodes(const NodePaint& paint, std::span<const std::uint8_t> flags, std::span<std::uint32_t> out) {
    paintWhere(paint, out, [=](std::uint32_t each) { return each < flags.size() && flags[each] != 0; });
}

} // namespace pollard

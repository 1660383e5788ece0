#include "tree/component_paint.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace pollard {

namespace {

constexpr std::size_t kRowsPerTask = 16;

/// @param isNodeIn whether to paint a node; also called with the value of pixels outside every node
template <class IsIn> void paintWhere(const NodePaint& paint, std::span<std::uint32_t> out, const IsIn& isNodeIn) {
    const ComponentTree& tree = *paint.tree;
    const std::size_t width = paint.columns.size();
    const std::size_t lastRow = paint.rows.empty() ? 0 : paint.rows.size() - 1;
    const auto nodesOf = [&](std::size_t y) { return tree.pixelNode.data() + paint.rows[y] * tree.width; };
    const auto isIn = [&](const std::uint32_t* nodes, std::size_t x) { return isNodeIn(nodes[paint.columns[x]]); };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, paint.rows.size(), kRowsPerTask), [&](const auto& rows) {
        for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
            const std::uint32_t* const above = nodesOf(y == 0 ? 0 : y - 1);
            const std::uint32_t* const nodes = nodesOf(y);
            const std::uint32_t* const below = nodesOf(std::min(y + 1, lastRow));
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

void paintComponent(const NodePaint& paint, std::uint32_t node, std::span<std::uint32_t> out) {
    const std::uint32_t count = paint.tree->subtreeEnd[node] - node;
    paintWhere(paint, out, [=](std::uint32_t each) { return each - node < count; }); // less than 0 wraps to a large
                                                                                     // number
}

void paintNodes(const NodePaint& paint, std::span<const std::uint8_t> flags, std::span<std::uint32_t> out) {
    paintWhere(paint, out, [=](std::uint32_t each) { return each < flags.size() && flags[each] != 0; });
}

} // namespace pollard

#include "cpu/attributes/sizes.hpp"

#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cstring>

namespace pollard::cpu {

Buffer<std::uint32_t> areasOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own, const JobControl& control) {
    Buffer<std::uint32_t> area(tree.nodeCount());
    std::copy(own.begin(), own.end(), area.begin());
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { area[parent] += area[i]; });
    return area;
}

Buffer<NodeBox> boxesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    Buffer<NodeBox> boxes(tree.nodeCount());
    const PixelPlace place(tree.width);
    forEachIndex(boxes.size(), control, [&](std::size_t i) {
        NodeBox box{tree.width, tree.height, 0, 0};
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            const std::uint32_t x = place.column(p, y);
            box = joined(box, {x, y, x, y});
        }
        boxes[i] = box;
    });
    sweepUp(tree, control,
            [&](std::uint32_t i, std::uint32_t parent) { boxes[parent] = joined(boxes[parent], boxes[i]); });
    return boxes;
}

Buffer<std::uint32_t> borderPixelsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    std::memset(count.data(), 0, count.bytes());
    const std::size_t width = tree.width;
    const std::size_t height = tree.height;
    const auto addSlice = [&](std::span<const std::uint32_t> nodes) {
        const auto add = [&](std::size_t x, std::size_t y) { ++count[nodes[y * width + x]]; };
        for (std::size_t x = 0; x < width; ++x) {
            add(x, 0);
            if (height > 1) {
                add(x, height - 1);
            }
        }
        for (std::size_t y = 1; y + 1 < height; ++y) {
            add(0, y);
            if (width > 1) {
                add(width - 1, y);
            }
        }
    };
    const std::size_t slicePixels = tree.extent().slicePixels();
    for (std::size_t z = 0; z < tree.slices; ++z) {
        const std::span<const std::uint32_t> nodes = tree.pixelNode.span().subspan(z * slicePixels, slicePixels);
        if (tree.slices > 1 && (z == 0 || z + 1 == tree.slices)) {
            for (const std::uint32_t node : nodes) {
                ++count[node];
            }
        } else {
            addSlice(nodes);
        }
    }
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { count[parent] += count[i]; });
    return count;
}

Buffer<std::uint32_t> depthsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> depth(tree.nodeCount());
    depth[0] = 0;
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) { depth[i] = depth[parent] + 1; });
    return depth;
}

Buffer<std::uint32_t> childCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    std::memset(count.data(), 0, count.bytes());
    sweepUp(tree, control, [&](std::uint32_t, std::uint32_t parent) { ++count[parent]; });
    return count;
}

Buffer<std::uint32_t> leafCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    forEachIndex(count.size(), control, [&](std::size_t i) { count[i] = tree.subtreeEnd[i] == i + 1 ? 1 : 0; });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { count[parent] += count[i]; });
    return count;
}

} // namespace pollard::cpu

#include "learn/mask_nodes.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "image/image.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>

namespace pollard {

namespace {

/// Per node, the pixels at its level in the mask less those outside.
Buffer<std::int64_t> ownGains(const ComponentTree& tree, const Mask& mask, const JobControl& control) {
    Buffer<std::int64_t> gains(tree.nodeCount());
    forEachIndex(gains.size(), control, [&](std::size_t node) { gains[node] = 0; });
    forEachIndex(
        mask.height(), control,
        [&](std::size_t row) {
            for (std::uint32_t x = 0; x < mask.width(); ++x) {
                const std::uint32_t node = tree.pixelNode[row * mask.width() + x];
                const bool isIn = mask.test(x, static_cast<std::uint32_t>(row));
                std::atomic_ref(gains[node]).fetch_add(isIn ? 1 : -1, std::memory_order_relaxed);
            }
        },
        64);
    return gains;
}

} // namespace

MaskNodes nodesOfMask(const ComponentTree& tree, const Mask& mask, const JobControl& control) {
    const Extent extent = tree.extent();
    if (mask.width() != extent.width || mask.height() != std::uint64_t{extent.height} * extent.slices) {
        throw Error(ErrorCode::invalidArgument, "mask: has " + std::to_string(mask.width()) + " x " +
                                                    std::to_string(mask.height()) + " px, the image " + text(extent));
    }
    requireAvailable("nodes of a mask", tree.nodeCount() * 2 * sizeof(std::int64_t));
    Buffer<std::int64_t> gains = ownGains(tree, mask, control.part(0, .4));
    Buffer<std::int64_t> within(tree.nodeCount()); // sums of the best of the children
    forEachIndex(within.size(), control, [&](std::size_t node) { within[node] = 0; });
    sweepUp(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        gains[parent] += gains[node];
        within[parent] += std::max(gains[node], within[node]);
    });
    MaskNodes found;
    std::int64_t gain = 0;
    for (std::uint32_t node = 0; node < tree.nodeCount();) {
        const bool isChosen = gains[node] > 0 && gains[node] >= within[node];
        if (isChosen) {
            found.nodes.push_back(node);
            gain += gains[node];
        }
        node = isChosen || within[node] == 0 ? tree.subtreeEnd[node] : node + 1;
    }
    const Buffer<std::uint32_t> own = countOwnPixels(tree, control);
    for (const std::uint32_t node : found.nodes) {
        for (std::uint32_t each = node; each < tree.subtreeEnd[node]; ++each) {
            found.pixels += own[each];
        }
    }
    const std::uint64_t inBoth = (found.pixels + static_cast<std::uint64_t>(gain)) / 2;
    found.outside = found.pixels - inBoth;
    found.missed = mask.count() - inBoth;
    return found;
}

} // namespace pollard

#pragma once

#include "cuda/components/ha4/feature_sums.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda::tmk {

/// No node; as a label, that of an empty node.
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// Label and links of a node in its binary tree.
struct Links {
    std::uint32_t label, parent, left, right;
};

/// Nodes in shared or global memory, addressed by index. A tree contains a label once, and a label has one path from
/// the root: at depth d to the left if bit d of its key is set. Different labels have different keys, so no path is
/// longer than 32 nodes.
struct MergeTree {
    Links* links;
    FeatureSums* sums; ///< of nonempty nodes; `holes` lacks the 1 of the whole object
};

/// Labels are pixel numbers, which share lower bits if objects lie on a grid: used directly they would turn trees into
/// chains. This bijection mixes their bits (the last step of MurmurHash3, Appleby 2011).
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t keyOf(std::uint32_t label) {
    label ^= label >> 16U;
    label *= 0x85ebca6bU;
    label ^= label >> 13U;
    label *= 0xc2b2ae35U;
    return label ^ label >> 16U;
}

[[nodiscard]] POLLARD_HOST_DEVICE inline FeatureSums added(const FeatureSums& a, const FeatureSums& b) {
    const auto least = [](std::uint32_t one, std::uint32_t other) { return one < other ? one : other; };
    const auto most = [](std::uint32_t one, std::uint32_t other) { return one < other ? other : one; };
    return {a.area + b.area,
            a.x + b.x,
            a.y + b.y,
            a.xx + b.xx,
            a.xy + b.xy,
            a.yy + b.yy,
            a.grey + b.grey,
            a.perimeter + b.perimeter,
            a.holes + b.holes,
            least(a.left, b.left),
            least(a.top, b.top),
            most(a.right, b.right),
            most(a.bottom, b.bottom),
            least(a.greyMin, b.greyMin),
            most(a.greyMax, b.greyMax)};
}

/// Inserts a node without children into the tree of @p root: at the end of its label's path or, if the tree contains
/// the label, by adding it to that node. Other threads may insert nodes with other labels meanwhile.
POLLARD_DEVICE inline void insert(const MergeTree& tree, std::uint32_t node, std::uint32_t root) {
    const std::uint32_t label = tree.links[node].label;
    std::uint32_t key = keyOf(label);
    std::uint32_t at = root;
    while (tree.links[at].label != label) {
        std::uint32_t* const child = (key & 1U) != 0 ? &tree.links[at].left : &tree.links[at].right;
        key >>= 1U;
        std::uint32_t next = loadFresh(child);
        if (next == kNone) {
            next = replaced(child, kNone, node);
        }
        if (next == kNone) {
            tree.links[node].parent = at;
            return;
        }
        at = next;
    }
    // No other thread has this label: nodes of one tree have different ones.
    tree.sums[at] = added(tree.sums[at], tree.sums[node]);
    tree.links[node].label = kNone;
}

} // namespace pollard::cuda::tmk

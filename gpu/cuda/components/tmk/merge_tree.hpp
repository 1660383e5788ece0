#pragma once

#include "cuda/components/ha4/feature_sums.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda::tmk {

/// No node, and the label of a node that holds nothing (any more).
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// Place of a node in its binary tree.
struct Links {
    std::uint32_t label, parent, left, right;
};

/// Nodes in shared or global memory, named by their places. A tree holds a label once, and a label has one way down
/// from the root: at depth d to the left if bit d of its key is set. Keys differ where labels do, so that no way is
/// longer than 32 nodes.
struct MergeTree {
    Links* links;
    FeatureSums* sums; ///< of nodes that hold something; `holes` without the 1 of the whole object
};

/// Labels are numbers of pixels, which have lower bits in common where objects lie on a grid: taken as they are, they
/// make chains of trees. This mixes their bits, one to one (the last step of MurmurHash3, Appleby 2011).
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

/// Brings a node without children from elsewhere into the tree of @p root: to where its label leads, or, if the tree
/// holds the label already, into the node that has it. Other threads may bring in nodes with other labels meanwhile.
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
    // Nobody else has this label at hand: nodes of one tree have different ones.
    tree.sums[at] = added(tree.sums[at], tree.sums[node]);
    tree.links[node].label = kNone;
}

} // namespace pollard::cuda::tmk

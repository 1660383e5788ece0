#pragma once

#include "cuda/components/ha4/root_numbers.hpp"
#include "cuda/components/tmk/merge_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda::tmk {

// Trees are merged in pairs, the right one into the left one; one thread inserts each node of the right tree on its
// own, without its children, which other threads insert. If the left tree is empty, the right one replaces it. The
// paper then moves its root to the left one's place while other threads check whether that is empty; here the roots of
// all trees are in a separate list.

/// Tree merging in shared memory, one block for kNodes adjacent trees of one node.
template <std::uint32_t kNodes> struct MergeInBlock {
    static constexpr std::uint32_t kThreads = kNodes / 2; ///< one per node of the right trees
    static_assert((kNodes & (kNodes - 1)) == 0);

    struct Memory {
        FeatureSums sums[kNodes];
        Links links[kNodes];
        std::uint32_t roots[kNodes]; ///< of the tree that starts at a node
    };

    MergeTree nodes;
    std::uint32_t nodeCount;
    std::uint32_t* roots; ///< per block; kNone if its tree is empty

    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t nodeCount) {
        return nodeCount / kNodes + (nodeCount % kNodes > 0 ? 1 : 0);
    }

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t thread = threadOfBlock();
        load(memory, thread);
        load(memory, thread + kThreads);
        const MergeTree tree{memory.links, memory.sums};
        for (std::uint32_t size = 1; size < kNodes; size *= 2) {
            meetThreads();
            const std::uint32_t inTree = thread & (size - 1);
            const std::uint32_t left = (thread - inTree) * 2;
            const std::uint32_t node = left + size + inTree;
            const std::uint32_t root = memory.roots[left];
            const std::uint32_t other = memory.roots[left + size];
            const bool moves = root != kNone && memory.links[node].label != kNone;
            if (moves) {
                memory.links[node].left = kNone;
                memory.links[node].right = kNone;
            }
            meetThreads();
            if (moves) {
                insert(tree, node, root);
            } else if (root == kNone && inTree == 0) {
                memory.roots[left] = other;
            }
        }
        meetThreads();
        store(memory, thread);
        store(memory, thread + kThreads);
        if (thread == 0) {
            roots[blockOfGrid()] = outer(memory.roots[0]);
        }
    }

private:
    POLLARD_DEVICE void load(Memory& memory, std::uint32_t node) const {
        const std::uint32_t at = blockOfGrid() * kNodes + node;
        memory.links[node] = at < nodeCount ? nodes.links[at] : Links{kNone, kNone, kNone, kNone};
        const bool holds = memory.links[node].label != kNone;
        if (holds) {
            memory.sums[node] = nodes.sums[at];
        }
        memory.roots[node] = holds ? node : kNone;
    }
    POLLARD_DEVICE void store(const Memory& memory, std::uint32_t node) const {
        const std::uint32_t at = blockOfGrid() * kNodes + node;
        if (at >= nodeCount) {
            return;
        }
        const Links& links = memory.links[node];
        nodes.links[at] = {links.label, outer(links.parent), outer(links.left), outer(links.right)};
        if (links.label != kNone) {
            nodes.sums[at] = memory.sums[node];
        }
    }
    /// Global index of a node in shared memory.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t outer(std::uint32_t node) {
        return node == kNone ? kNone : blockOfGrid() * kNodes + node;
    }
};

/// Step, tree merging in global memory: one node of a right tree. Trees have 2^sizeBits places. One launch per doubling
/// replaces the paper's grid-wide barrier, which requires the whole grid to be resident: with one thread per node that
/// ends at 735 x 735 px.
struct MergeRightNode {
    MergeTree nodes;
    std::uint32_t nodeCount;
    std::uint32_t sizeBits;
    const std::uint32_t* roots; ///< of the trees

    /// Nodes of right trees, including places missing at the end.
    [[nodiscard]] static std::size_t count(std::uint32_t nodeCount, std::uint32_t sizeBits) {
        const std::size_t both = std::size_t{2} << sizeBits;
        return (nodeCount + both - 1) / both * (both / 2);
    }

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::size_t size = std::size_t{1} << sizeBits;
        const std::size_t inTree = i & (size - 1);
        const std::size_t left = (i - inTree) * 2;
        if (left + size + inTree >= nodeCount) {
            return;
        }
        const auto node = static_cast<std::uint32_t>(left + size + inTree);
        const std::uint32_t root = roots[left >> sizeBits];
        if (root == kNone || nodes.links[node].label == kNone) {
            return;
        }
        storeFresh(&nodes.links[node].left, kNone);
        storeFresh(&nodes.links[node].right, kNone);
        orderWrites(); // a thread that finds the node must find it without children
        insert(nodes, node, root);
    }
};

/// Step: root of the union of two trees.
struct MergeRoots {
    const std::uint32_t* roots;
    std::uint32_t count;
    std::uint32_t* merged;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t left = roots[2 * i];
        merged[i] = left == kNone && 2 * i + 1 < count ? roots[2 * i + 1] : left;
    }
};

/// Step, size update (algorithm 2): the thread of a leaf climbs and counts. Where two paths meet, the first to arrive
/// stores its count and ends, which the printed algorithm omits, and the second continues with both counts.
struct CountNodes {
    const Links* links;
    std::uint32_t* sizes; ///< per node, 0 at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        Links node = links[i];
        if (node.label == kNone || node.left != kNone || node.right != kNone) {
            return;
        }
        std::uint32_t size = 1;
        sizes[i] = size;
        while (node.parent != kNone) {
            const std::uint32_t at = node.parent;
            node = links[at];
            if (node.left != kNone && node.right != kNone) {
                const std::uint32_t other = replaced(&sizes[at], 0, size + 1);
                if (other == 0) {
                    return;
                }
                size += other;
            } else {
                ++size;
            }
            sizes[at] = size;
        }
    }
};

/// Step, balancing (algorithm 3): moves a node to its preorder index, so that nodes have no gaps. The index counts the
/// nodes before it along its path from the root.
struct CompactNodes {
    MergeTree nodes;
    const std::uint32_t* sizes;
    const std::uint32_t* root;
    std::uint32_t* labels; ///< per index
    FeatureSums* sums;     ///< per index; with the 1 that `holes` lacked

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t label = nodes.links[i].label;
        if (label == kNone) {
            return;
        }
        std::uint32_t key = keyOf(label);
        std::uint32_t at = *root;
        std::uint32_t place = 0;
        while (at != i) {
            const Links node = nodes.links[at];
            const bool goesLeft = (key & 1U) != 0;
            key >>= 1U;
            place += 1 + (goesLeft || node.left == kNone ? 0 : sizes[node.left]);
            at = goesLeft ? node.left : node.right;
        }
        labels[place] = label;
        sums[place] = nodes.sums[i];
        ++sums[place].holes;
    }
};

/// Step: the number of objects is the size of the tree.
struct ReadCount {
    const std::uint32_t* root;
    const std::uint32_t* sizes;
    std::uint32_t* count;

    POLLARD_DEVICE void operator()(std::size_t) const { *count = *root == kNone ? 0 : sizes[*root]; }
};

/// Step added to the paper: writes the records in raster order of the objects' roots.
struct WriteInOrder {
    const std::uint32_t* labels; ///< numbers of the roots
    const FeatureSums* sums;
    ha4::RootNumbers numbers;
    bool withGrey;
    ComponentRecord* records;

    POLLARD_DEVICE void operator()(std::size_t i) const { records[numbers.of(labels[i])] = sums[i].record(withGrey); }
};

} // namespace pollard::cuda::tmk

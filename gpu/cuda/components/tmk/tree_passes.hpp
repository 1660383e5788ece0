#pragma once

#include "base/compiler.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/ha4/feature_table.hpp"
#include "cuda/components/ha4/segment_forest.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda::tmk {

/// No node; also the label of an empty node.
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

/// Nodes per row: one for two adjacent pixels. The paper pairs the pixels 2t and 2t + 1 of the whole image, which joins
/// the end of a row to the start of the next if the width is odd.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t nodesOfRow(std::uint32_t width) {
    return width / 2 + width % 2;
}

/// Step, initialisation (algorithm 1): makes a tree of one node from two adjacent pixels, which have equal labels if
/// both are set, or an empty tree. Beside the paper's features it measures second moments, grey levels and, from the
/// surrounding pixels, perimeter and holes: the Euler number is pixels - pairs of neighbours + squares of four.
template <class Level> struct MakeNodes {
    DeviceMask mask;
    const std::uint32_t* labels; ///< a number per object, at set pixels
    const Level* grey;           ///< null: no image
    MergeTree nodes;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t row = nodesOfRow(mask.width);
        const auto y = static_cast<std::uint32_t>(i / row);
        const std::uint32_t first = static_cast<std::uint32_t>(i - std::size_t{y} * row) * 2;
        std::uint32_t label = kNone;
        FeatureSums sums = FeatureSums::none();
        sums.holes = 0;
        for (std::uint32_t x = first; x < first + 2 && x < mask.width; ++x) {
            if (mask.isSet(x, y)) {
                const std::size_t pixel = std::size_t{y} * mask.width + x;
                label = labels[pixel];
                sums = added(sums, ofPixel(x, y, pixel));
            }
        }
        nodes.links[i] = {label, kNone, kNone, kNone};
        if (label != kNone) {
            nodes.sums[i] = sums;
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE FeatureSums ofPixel(std::uint32_t x, std::uint32_t y, std::size_t pixel) const {
        const bool left = x > 0 && mask.isSet(x - 1, y);
        const bool up = y > 0 && mask.isSet(x, y - 1);
        const bool right = x + 1 < mask.width && mask.isSet(x + 1, y);
        const bool down = y + 1 < mask.height && mask.isSet(x, y + 1);
        const bool square = left && up && mask.isSet(x - 1, y - 1);
        const std::uint64_t wide = x;
        const std::uint64_t high = y;
        FeatureSums sums = FeatureSums::none();
        sums.area = 1;
        sums.x = wide;
        sums.y = high;
        sums.xx = wide * wide;
        sums.xy = wide * high;
        sums.yy = high * high;
        sums.perimeter = std::uint64_t{4} - (left ? 1 : 0) - (up ? 1 : 0) - (right ? 1 : 0) - (down ? 1 : 0);
        sums.holes = std::uint64_t{left ? 1U : 0U} + (up ? 1 : 0) - (square ? 1 : 0) - 1;
        sums.left = sums.right = x;
        sums.top = sums.bottom = y;
        if (grey != nullptr) {
            sums.grey = sums.greyMin = sums.greyMax = grey[pixel];
        }
        return sums;
    }
};

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

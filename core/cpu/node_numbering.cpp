#include "cpu/node_numbering.hpp"

#include "cpu/parallel.hpp"

#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <vector>

namespace pollard::cpu {

namespace {

/// Nodes below which a subtree is not worth a task of its own.
constexpr std::uint32_t kTaskNodes = 1U << 14;

/// The tree of branches. It is shallow: a branch hangs on one of higher priority.
struct BranchTree {
    std::uint32_t root = 0;
    Buffer<std::uint32_t> parent;     ///< per branch: the branch it hangs on; kNone for the root and empty branches
    Buffer<std::uint32_t> childStart; ///< per node, and one more: its part of `children`
    Buffer<std::uint32_t> children;   ///< the branches that hang on each node, by canonical pixel
};

/// Puts every branch on the node at which it joins another.
BranchTree hangBranches(const BranchNodes& nodes, const BranchForest& forest, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    BranchTree tree;
    tree.parent = Buffer<std::uint32_t>(branchCount);
    tree.childStart = Buffer<std::uint32_t>(nodes.nodeCount() + 1);
    std::memset(tree.childStart.data(), 0, tree.childStart.bytes());
    Buffer<std::uint32_t> attachNode(branchCount);
    std::atomic<std::uint32_t> root{0};
    forEachIndex(branchCount, control, [&](std::size_t b) {
        const auto branch = static_cast<std::uint32_t>(b);
        tree.parent[b] = BranchForest::kNone;
        if (nodes.count(branch) == 0) {
            return;
        }
        const std::uint32_t saddlePlusOne = forest.saddlePlusOne(branch);
        if (saddlePlusOne == 0) {
            root = branch;
            return;
        }
        const std::uint32_t saddle = saddlePlusOne - 1;
        const std::uint32_t parent = forest.representative(forest.into(branch), saddle);
        tree.parent[b] = parent;
        // The saddle pixel itself is in the component, hence that branch has a node of exactly this level.
        const auto* first = nodes.level.data() + nodes.offset[parent];
        const auto* last = nodes.level.data() + nodes.offset[parent + 1];
        const auto* at = std::lower_bound(first, last, saddle, std::greater<>{});
        attachNode[b] = static_cast<std::uint32_t>(at - nodes.level.data());
        std::atomic_ref(tree.childStart[attachNode[b] + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    tree.root = root;

    // childStart[n + 1] serves as the fill mark of n and ends as the start of n + 1.
    const std::uint32_t childCount = toOffsets(tree.childStart.span().subspan(1));
    tree.children = Buffer<std::uint32_t>(childCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        if (tree.parent[b] != BranchForest::kNone) {
            const std::uint32_t slot =
                std::atomic_ref(tree.childStart[attachNode[b] + 1]).fetch_add(1, std::memory_order_relaxed);
            tree.children[slot] = static_cast<std::uint32_t>(b);
        }
    });
    forEachIndex(nodes.nodeCount(), control, [&](std::size_t n) {
        std::uint32_t* first = tree.children.data() + tree.childStart[n];
        std::uint32_t* last = tree.children.data() + tree.childStart[n + 1];
        if (last - first > 1) {
            std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
                return nodes.canonical[nodes.lowest(a)] < nodes.canonical[nodes.lowest(b)];
            });
        }
    });
    return tree;
}

/// Number of nodes of every branch with all that hangs on it. Starts at the branches without children, in the order
/// of their numbers, which is the order of the tiles; whoever brings a branch its last child goes on from there.
Buffer<std::uint32_t> sizeSubtrees(const BranchNodes& nodes, const BranchTree& tree, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    Buffer<std::uint64_t> pending(branchCount); // children that have not reported << 32 | nodes so far
    const auto childCount = [&](std::size_t b) {
        return tree.childStart[nodes.offset[b + 1]] - tree.childStart[nodes.offset[b]];
    };
    forEachIndex(branchCount, control, [&](std::size_t b) {
        pending[b] = std::uint64_t{childCount(b)} << 32 | nodes.count(static_cast<std::uint32_t>(b));
    });
    forEachIndex(branchCount, control, [&](std::size_t leaf) {
        if (childCount(leaf) != 0 || nodes.count(static_cast<std::uint32_t>(leaf)) == 0) {
            return;
        }
        std::uint64_t size = nodes.count(static_cast<std::uint32_t>(leaf));
        for (std::uint32_t b = tree.parent[leaf]; b != BranchForest::kNone; b = tree.parent[b]) {
            const std::uint64_t report = size - (std::uint64_t{1} << 32);
            const std::uint64_t now = std::atomic_ref(pending[b]).fetch_add(report, std::memory_order_acq_rel) + report;
            if (now >> 32 != 0) {
                return;
            }
            size = now;
        }
    });
    Buffer<std::uint32_t> sizes(branchCount);
    forEachIndex(branchCount, control, [&](std::size_t b) { sizes[b] = static_cast<std::uint32_t>(pending[b]); });
    return sizes;
}

/// Where a branch starts in the final numbering.
struct BranchStart {
    std::uint32_t number; ///< of its lowest node
    std::uint32_t parent; ///< number of the node it hangs on
    std::uint32_t depth;  ///< of its lowest node
};

struct Shape {
    std::uint32_t leaves = 0;
    std::uint32_t depth = 0;
};

/// Walks one branch from the root's side to its top and numbers its nodes; gives its child branches their starts.
Shape numberBranch(std::uint32_t branch, const BranchNodes& nodes, const BranchTree& branches,
                   const Buffer<std::uint32_t>& subtreeSize, Buffer<BranchStart>& starts, std::uint16_t flip,
                   ComponentTree& tree, Buffer<std::uint32_t>& numberOf) {
    auto [number, parent, depth] = starts[branch];
    std::uint32_t size = subtreeSize[branch];
    const std::uint32_t top = nodes.offset[branch];
    for (std::uint32_t node = nodes.lowest(branch);; --node) {
        numberOf[node] = number;
        tree.parent[number] = parent;
        tree.level[number] = nodes.level[node] ^ flip;
        tree.canonical[number] = nodes.canonical[node];
        tree.subtreeEnd[number] = number + size;

        // The children: the next node of this branch, and the branches that hang here, by canonical pixel.
        const std::uint32_t firstChild = branches.childStart[node];
        const std::uint32_t childEnd = branches.childStart[node + 1];
        std::uint32_t hanging = 0;
        for (std::uint32_t c = firstChild; c != childEnd; ++c) {
            hanging += subtreeSize[branches.children[c]];
        }
        const bool goesOn = node != top;
        const std::uint32_t sizeAbove = size - 1 - hanging;
        const std::uint32_t canonicalAbove = goesOn ? nodes.canonical[node - 1] : 0;
        std::uint32_t next = number + 1;
        std::uint32_t numberAbove = next;
        bool placed = !goesOn;
        for (std::uint32_t c = firstChild; c != childEnd; ++c) {
            const std::uint32_t b = branches.children[c];
            if (!placed && nodes.canonical[nodes.lowest(b)] > canonicalAbove) {
                numberAbove = next;
                next += sizeAbove;
                placed = true;
            }
            starts[b] = {next, number, depth + 1};
            next += subtreeSize[b];
        }
        if (!placed) {
            numberAbove = next;
        }
        if (!goesOn) {
            return {size == 1 ? 1U : 0U, depth};
        }
        parent = number;
        number = numberAbove;
        size = sizeAbove;
        ++depth;
    }
}

} // namespace

Buffer<std::uint32_t> numberNodes(BranchNodes& nodes, const BranchForest& forest, std::uint16_t flip,
                                  ComponentTree& tree, const JobControl& control) {
    const BranchTree branches = hangBranches(nodes, forest, control);
    const Buffer<std::uint32_t> subtreeSize = sizeSubtrees(nodes, branches, control);
    control.report(0.83, "numbering");

    const std::size_t nodeCount = nodes.nodeCount();
    tree.parent = Buffer<std::uint32_t>(nodeCount);
    tree.level = Buffer<std::uint16_t>(nodeCount);
    tree.subtreeEnd = Buffer<std::uint32_t>(nodeCount);
    tree.canonical = Buffer<std::uint32_t>(nodeCount);
    Buffer<std::uint32_t> numberOf(nodeCount);
    Buffer<BranchStart> starts(nodes.branchCount());
    starts[branches.root] = {0, 0, 0};
    std::atomic<std::uint32_t> leaves{0};
    std::atomic<std::uint32_t> deepest{0};
    // Depth first: what hangs together lies together in the image and in the numbering, hence in the cache.
    tbb::task_group tasks;
    const std::function<void(std::uint32_t)> numberSubtree = [&](std::uint32_t start) {
        std::vector<std::uint32_t> stack{start};
        Shape total;
        while (!stack.empty()) {
            if (control.stopRequested()) {
                return;
            }
            const std::uint32_t b = stack.back();
            stack.pop_back();
            const Shape shape = numberBranch(b, nodes, branches, subtreeSize, starts, flip, tree, numberOf);
            total.leaves += shape.leaves;
            total.depth = std::max(total.depth, shape.depth);
            const std::uint32_t childEnd = branches.childStart[nodes.offset[b + 1]];
            for (std::uint32_t c = branches.childStart[nodes.offset[b]]; c != childEnd; ++c) {
                const std::uint32_t child = branches.children[c];
                if (subtreeSize[child] >= kTaskNodes) {
                    tasks.run([&numberSubtree, child] { numberSubtree(child); });
                } else {
                    stack.push_back(child);
                }
            }
        }
        leaves += total.leaves;
        std::uint32_t seen = deepest;
        while (seen < total.depth && !deepest.compare_exchange_weak(seen, total.depth)) {
        }
    };
    tasks.run_and_wait([&] { numberSubtree(branches.root); });
    control.throwIfStopped();
    tree.leafCount = leaves;
    tree.depth = deepest;
    nodes.level.reset();
    nodes.canonical.reset();
    return numberOf;
}

} // namespace pollard::cpu

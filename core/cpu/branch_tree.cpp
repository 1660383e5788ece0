#include "cpu/branch_tree.hpp"

#include "cpu/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

namespace pollard::cpu {

namespace {

/// Puts every branch on the node at which it joins another, and lists the branches of every node.
void hangBranches(const BranchNodes& nodes, const BranchForest& forest, BranchTree& tree, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    tree.parent = Buffer<std::uint32_t>(branchCount);
    tree.attachNode = Buffer<std::uint32_t>(branchCount);
    tree.childStart = Buffer<std::uint32_t>(nodes.nodeCount() + 1);
    std::memset(tree.childStart.data(), 0, tree.childStart.bytes());
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
        tree.attachNode[b] = static_cast<std::uint32_t>(at - nodes.level.data());
        std::atomic_ref(tree.childStart[tree.attachNode[b] + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    tree.root = root;

    // childStart[n + 1] serves as the fill mark of n and ends as the start of n + 1.
    const std::uint32_t childCount = toOffsets(tree.childStart.span().subspan(1));
    tree.children = Buffer<std::uint32_t>(childCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        if (tree.parent[b] != BranchForest::kNone) {
            const std::uint32_t slot =
                std::atomic_ref(tree.childStart[tree.attachNode[b] + 1]).fetch_add(1, std::memory_order_relaxed);
            tree.children[slot] = static_cast<std::uint32_t>(b);
        }
    });
}

/// Starts at the branches without children, in the order of their numbers, which is the order of the tiles; whoever
/// brings a branch its last child goes on from there.
void sizeSubtrees(const BranchNodes& nodes, BranchTree& tree, const JobControl& control) {
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
    tree.size = Buffer<std::uint32_t>(branchCount);
    forEachIndex(branchCount, control, [&](std::size_t b) { tree.size[b] = static_cast<std::uint32_t>(pending[b]); });
}

} // namespace

BranchTree buildBranchTree(const BranchNodes& nodes, const BranchForest& forest, const JobControl& control) {
    BranchTree tree;
    hangBranches(nodes, forest, tree, control);
    sizeSubtrees(nodes, tree, control);
    return tree;
}

} // namespace pollard::cpu

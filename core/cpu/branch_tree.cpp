#include "cpu/branch_tree.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

namespace pollard::cpu {

namespace {

/// Calls `visit(island, tile, index of the tile)` for the islands of all tiles, in parallel.
template <class Visit> void forEachIsland(const BranchRuns& runs, const JobControl& control, Visit&& visit) {
    forEachIndex(
        runs.grid.count(), control,
        [&](std::size_t t) {
            const Tile tile = runs.grid.tile(t);
            for (std::uint32_t k = runs.islandBase[t]; k != runs.islandBase[t + 1]; ++k) {
                visit(k, tile, t);
            }
        },
        16);
}

/// Attaches every branch to the node at which it joins another, every island to the node that contains it, and lists
/// the children of every node.
void hangBranches(const BranchNodes& nodes, const BranchRuns& runs, BranchTree& tree, const JobControl& control) {
    const BranchForest& forest = runs.forest;
    const std::size_t branchCount = nodes.branchCount();
    tree.parent = Buffer<std::uint32_t>(branchCount);
    tree.attachNode = Buffer<std::uint32_t>(branchCount);
    tree.childStart = Buffer<std::uint32_t>(nodes.nodeCount() + 1);
    std::memset(tree.childStart.data(), 0, tree.childStart.bytes());
    // Per branch, then per island: its position among the children of its node.
    Buffer<std::uint32_t> position(branchCount + runs.islands.size());
    const auto count = [&](std::uint32_t node) {
        return std::atomic_ref(tree.childStart[node]).fetch_add(1, std::memory_order_relaxed);
    };
    std::atomic<std::uint32_t> root{0};
    forEachIndex(branchCount, control, [&](std::size_t b) {
        const auto branch = static_cast<std::uint32_t>(b);
        tree.parent[b] = BranchForest::kNone;
        if (nodes.count(branch) == 0) {
            return;
        }
        const Attachment attachment = attachmentOf(branch, nodes, forest);
        if (attachment.branch == BranchForest::kNone) {
            root = branch;
            return;
        }
        tree.parent[b] = attachment.branch;
        tree.attachNode[b] = attachment.node;
        position[b] = count(attachment.node);
    });
    tree.root = root;
    const auto nodeOf = [&](std::uint32_t island, std::size_t tile) {
        return nodes.ofRun[runs.runBase[tile] + runs.islands[island].run];
    };
    forEachIsland(runs, control, [&](std::uint32_t island, const Tile&, std::size_t t) {
        position[branchCount + island] = count(nodeOf(island, t));
    });

    const std::uint32_t childCount = toOffsets(tree.childStart.span());
    tree.children = Buffer<Child>(childCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        if (tree.parent[b] != BranchForest::kNone) {
            const auto branch = static_cast<std::uint32_t>(b);
            tree.children[tree.childStart[tree.attachNode[b]] + position[b]] =
                Child::branch(branch, nodes.canonical[nodes.lowest(branch)]);
        }
    });
    forEachIsland(runs, control, [&](std::uint32_t island, const Tile& tile, std::size_t t) {
        const TileNode& top = runs.nodes[t][runs.islands[island].node];
        tree.children[tree.childStart[nodeOf(island, t)] + position[branchCount + island]] =
            Child::island(island, runs.grid.pixelOf(top.canonical, tile));
    });
}

/// Starts at the branches without children, in the order of their indices, i.e. by tiles; the thread that adds the last
/// child of a branch continues with the branch.
void sizeSubtrees(const BranchNodes& nodes, const BranchRuns& runs, BranchTree& tree, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    Buffer<std::uint64_t> pending(branchCount); // branches on it that are not yet added << 32 | nodes so far
    Buffer<std::uint8_t> isLeaf(branchCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        std::uint64_t size = nodes.count(static_cast<std::uint32_t>(b));
        isLeaf[b] = size != 0 ? 1 : 0;
        const std::uint32_t end = tree.childStart[nodes.offset[b + 1]];
        for (std::uint32_t c = tree.childStart[nodes.offset[b]]; c != end; ++c) {
            const Child child = tree.children[c];
            if (child.isIsland()) {
                size += runs.islands[child.number()].size;
            } else {
                size += std::uint64_t{1} << 32;
                isLeaf[b] = 0;
            }
        }
        pending[b] = size;
    });
    forEachIndex(branchCount, control, [&](std::size_t leaf) {
        if (isLeaf[leaf] == 0) {
            return;
        }
        std::uint64_t size = pending[leaf]; // a leaf has no children to add
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

Attachment attachmentOf(std::uint32_t branch, const BranchNodes& nodes, const BranchForest& forest) {
    const std::uint32_t saddlePlusOne = forest.saddlePlusOne(branch);
    if (saddlePlusOne == 0) {
        return {BranchForest::kNone, 0};
    }
    const std::uint32_t saddle = saddlePlusOne - 1;
    const std::uint32_t other = forest.representative(forest.into(branch), saddle);
    // The saddle pixel is in the component, so the branch has a node of exactly this level.
    const auto* first = nodes.level.data() + nodes.offset[other];
    const auto* last = nodes.level.data() + nodes.offset[other + 1];
    const auto* at = std::lower_bound(first, last, saddle, std::greater<>{});
    return {other, static_cast<std::uint32_t>(at - nodes.level.data())};
}

BranchTree buildBranchTree(const BranchNodes& nodes, const BranchRuns& runs, const JobControl& control) {
    BranchTree tree;
    hangBranches(nodes, runs, tree, control);
    sizeSubtrees(nodes, runs, tree, control);
    return tree;
}

} // namespace pollard::cpu

#include "cpu/node_numbering.hpp"

#include "cpu/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <vector>

namespace pollard::cpu {

namespace {

/// The tree of branches. It is shallow: a branch hangs on one of higher priority.
struct BranchTree {
    std::uint32_t root = 0;
    Buffer<std::uint32_t> attachNode;     ///< per branch: the node its lowest node hangs on
    Buffer<std::uint32_t> childStart;     ///< per branch, and one more: its part of `children`
    Buffer<std::uint32_t> children;       ///< sorted by attach node (nearest to the root first), canonical pixel
    std::vector<std::uint32_t> order;     ///< branches, generation after generation
    std::vector<std::size_t> generations; ///< start of every generation in `order`, and the end
};

/// Puts every branch on the node at which it joins another.
BranchTree hangBranches(const BranchNodes& nodes, const BranchForest& forest, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    BranchTree tree;
    tree.attachNode = Buffer<std::uint32_t>(branchCount);
    tree.childStart = Buffer<std::uint32_t>(branchCount + 1);
    std::memset(tree.childStart.data(), 0, tree.childStart.bytes());
    Buffer<std::uint32_t> parent(branchCount);
    std::atomic<std::uint32_t> root{0};
    forEachIndex(branchCount, control, [&](std::size_t b) {
        const auto branch = static_cast<std::uint32_t>(b);
        parent[b] = BranchForest::kNone;
        if (nodes.count(branch) == 0) {
            return;
        }
        const std::uint32_t saddlePlusOne = forest.saddlePlusOne(branch);
        if (saddlePlusOne == 0) {
            root = branch;
            return;
        }
        const std::uint32_t saddle = saddlePlusOne - 1;
        parent[b] = forest.representative(forest.into(branch), saddle);
        // The saddle pixel itself is in the component, hence that branch has a node of exactly this level.
        const auto* first = nodes.level.data() + nodes.offset[parent[b]];
        const auto* last = nodes.level.data() + nodes.offset[parent[b] + 1];
        const auto* at = std::lower_bound(first, last, saddle, std::greater<>{});
        tree.attachNode[b] = static_cast<std::uint32_t>(at - nodes.level.data());
        std::atomic_ref(tree.childStart[parent[b] + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    tree.root = root;

    const std::uint32_t childCount = toOffsets(tree.childStart.span().subspan(1));
    tree.childStart[0] = 0;
    tree.children = Buffer<std::uint32_t>(childCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        if (parent[b] != BranchForest::kNone) {
            const std::uint32_t slot =
                std::atomic_ref(tree.childStart[parent[b] + 1]).fetch_add(1, std::memory_order_relaxed);
            tree.children[slot] = static_cast<std::uint32_t>(b);
        }
    });
    forEachIndex(branchCount, control, [&](std::size_t b) {
        std::uint32_t* first = tree.children.data() + tree.childStart[b];
        std::uint32_t* last = tree.children.data() + tree.childStart[b + 1];
        if (last - first > 1) {
            std::sort(first, last, [&](std::uint32_t a, std::uint32_t c) {
                return tree.attachNode[a] != tree.attachNode[c]
                           ? tree.attachNode[a] > tree.attachNode[c]
                           : nodes.canonical[nodes.lowest(a)] < nodes.canonical[nodes.lowest(c)];
            });
        }
    });
    return tree;
}

void listGenerations(BranchTree& tree, const JobControl& control) {
    tree.order.reserve(tree.children.size() + 1);
    tree.order.push_back(tree.root);
    tree.generations = {0, 1};
    while (tree.generations.back() != tree.generations[tree.generations.size() - 2]) {
        control.throwIfStopped();
        const std::size_t end = tree.order.size();
        for (std::size_t k = tree.generations[tree.generations.size() - 2]; k < end; ++k) {
            const std::uint32_t b = tree.order[k];
            tree.order.insert(tree.order.end(), tree.children.data() + tree.childStart[b],
                              tree.children.data() + tree.childStart[b + 1]);
        }
        tree.generations.push_back(tree.order.size());
    }
    tree.generations.pop_back(); // the last one is empty
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
    std::uint32_t child = branches.childStart[branch];
    const std::uint32_t childEnd = branches.childStart[branch + 1];
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
        const std::uint32_t firstChild = child;
        std::uint32_t hanging = 0;
        while (child != childEnd && branches.attachNode[branches.children[child]] == node) {
            hanging += subtreeSize[branches.children[child++]];
        }
        const bool goesOn = node != top;
        const std::uint32_t sizeAbove = size - 1 - hanging;
        const std::uint32_t canonicalAbove = goesOn ? nodes.canonical[node - 1] : 0;
        std::uint32_t next = number + 1;
        std::uint32_t numberAbove = next;
        bool placed = !goesOn;
        for (std::uint32_t c = firstChild; c != child; ++c) {
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
    BranchTree branches = hangBranches(nodes, forest, control);
    listGenerations(branches, control);
    control.report(0.8, "numbering");

    const auto forGeneration = [&](std::size_t generation, auto&& function) {
        const std::size_t first = branches.generations[generation];
        forEachIndex(
            branches.generations[generation + 1] - first, control,
            [&](std::size_t k) { function(branches.order[first + k]); }, 256);
    };
    const std::size_t generationCount = branches.generations.size() - 1;
    Buffer<std::uint32_t> subtreeSize(nodes.branchCount());
    for (std::size_t g = generationCount; g-- > 0;) {
        forGeneration(g, [&](std::uint32_t b) {
            std::uint32_t size = nodes.count(b);
            for (std::uint32_t c = branches.childStart[b]; c != branches.childStart[b + 1]; ++c) {
                size += subtreeSize[branches.children[c]];
            }
            subtreeSize[b] = size;
        });
    }

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
    for (std::size_t g = 0; g < generationCount; ++g) {
        const std::size_t first = branches.generations[g];
        forEachRange(
            branches.generations[g + 1] - first, control,
            [&](std::size_t begin, std::size_t end) {
                Shape total;
                for (std::size_t k = begin; k != end; ++k) {
                    const Shape shape = numberBranch(branches.order[first + k], nodes, branches, subtreeSize, starts,
                                                     flip, tree, numberOf);
                    total.leaves += shape.leaves;
                    total.depth = std::max(total.depth, shape.depth);
                }
                leaves += total.leaves;
                std::uint32_t seen = deepest;
                while (seen < total.depth && !deepest.compare_exchange_weak(seen, total.depth)) {
                }
            },
            256);
    }
    tree.leafCount = leaves;
    tree.depth = deepest;
    nodes.level.reset();
    nodes.canonical.reset();
    return numberOf;
}

} // namespace pollard::cpu

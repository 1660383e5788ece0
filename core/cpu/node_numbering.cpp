#include "cpu/node_numbering.hpp"

#include "cpu/branch_tree.hpp"
#include "cpu/parallel.hpp"

#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace pollard::cpu {

namespace {

/// Nodes below which a subtree is not worth a task of its own.
constexpr std::uint32_t kTaskNodes = 1U << 14;

/// Where a branch goes among the siblings of its lowest node, relative to the node they hang on.
struct Place {
    std::uint32_t offset;  ///< nodes of the branches that hang on the same node and come before
    std::uint32_t isAbove; ///< 1 if the next node of the other branch, with all on it, comes before too
    std::uint32_t depth;   ///< of the lowest node in the tree
};

class Numbering {
public:
    Numbering(const BranchNodes& nodes, const BranchTree& branches, std::uint16_t flip, ComponentTree& tree,
              const JobControl& control)
        : nodes_(nodes), branches_(branches), flip_(flip), tree_(tree), control_(control), places_(nodes.branchCount()),
          hanging_(nodes.nodeCount()), numberOf_(nodes.nodeCount()) {}

    Buffer<std::uint32_t> run() {
        placeBranches();
        control_.report(0.85, "numbering");
        tree_.parent = Buffer<std::uint32_t>(nodes_.nodeCount());
        tree_.level = Buffer<std::uint16_t>(nodes_.nodeCount());
        tree_.subtreeEnd = Buffer<std::uint32_t>(nodes_.nodeCount());
        tree_.canonical = Buffer<std::uint32_t>(nodes_.nodeCount());
        places_[branches_.root] = {0, 0, 0};

        // Depth first: what hangs together lies together in the image and in the numbering, hence in the cache.
        tasks_.run_and_wait([&] { numberSubtree(branches_.root); });
        control_.throwIfStopped();
        // Branches on which nothing hangs are most of all; in the order of their numbers they lie tile by tile.
        forEachRange(nodes_.branchCount(), control_, [&](std::size_t begin, std::size_t end) {
            Shape total;
            for (std::size_t k = begin; k != end; ++k) {
                const auto b = static_cast<std::uint32_t>(k);
                if (b != branches_.root && nodes_.count(b) != 0 && isBare(b)) {
                    total += numberBranch(b);
                }
            }
            add(total);
        });
        tree_.leafCount = leaves_;
        tree_.depth = deepest_;
        return std::move(numberOf_);
    }

private:
    struct Shape {
        std::uint32_t leaves = 0;
        std::uint32_t depth = 0;

        Shape& operator+=(const Shape& other) noexcept {
            leaves += other.leaves;
            depth = std::max(depth, other.depth);
            return *this;
        }
    };

    /// Nothing hangs on the branch.
    [[nodiscard]] bool isBare(std::uint32_t branch) const noexcept {
        return branches_.size[branch] == nodes_.count(branch);
    }

    /// Puts the children of every node in order: the next node of its own branch, and the branches that hang on it, by
    /// canonical pixel. Leaves in numberOf_ how many nodes come between a node and the next one of its branch.
    void placeBranches() {
        forEachRange(nodes_.branchCount(), control_, [&](std::size_t begin, std::size_t end) {
            std::vector<std::uint32_t> sorted;
            for (std::size_t b = begin; b != end; ++b) {
                for (std::uint32_t node = nodes_.offset[b]; node != nodes_.offset[b + 1]; ++node) {
                    placeChildren(node, node == nodes_.offset[b], sorted);
                }
            }
        });
    }

    void placeChildren(std::uint32_t node, bool isTop, std::vector<std::uint32_t>& sorted) {
        const auto canonicalOf = [this](std::uint32_t branch) { return nodes_.canonical[nodes_.lowest(branch)]; };
        sorted.assign(branches_.children.data() + branches_.childStart[node],
                      branches_.children.data() + branches_.childStart[node + 1]);
        if (sorted.size() > 1) {
            std::sort(sorted.begin(), sorted.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return canonicalOf(a) < canonicalOf(b); });
        }
        std::uint32_t hanging = 0;
        std::uint32_t before = 0;
        for (const std::uint32_t branch : sorted) {
            const bool isAbove = !isTop && canonicalOf(branch) > nodes_.canonical[node - 1];
            places_[branch].offset = hanging;
            places_[branch].isAbove = isAbove ? 1 : 0;
            hanging += branches_.size[branch];
            before += isAbove ? 0 : branches_.size[branch];
        }
        hanging_[node] = hanging;
        numberOf_[node] = before;
    }

    /// Numbers a branch and all that hangs on it, except for bare branches.
    void numberSubtree(std::uint32_t start) {
        std::vector<std::uint32_t> stack{start};
        Shape total;
        while (!stack.empty() && !control_.stopRequested()) {
            const std::uint32_t b = stack.back();
            stack.pop_back();
            total += numberBranch(b);
            const std::uint32_t childEnd = branches_.childStart[nodes_.offset[b + 1]];
            for (std::uint32_t c = branches_.childStart[nodes_.offset[b]]; c != childEnd; ++c) {
                const std::uint32_t child = branches_.children[c];
                if (isBare(child)) {
                    continue;
                }
                if (branches_.size[child] >= kTaskNodes) {
                    tasks_.run([this, child] { numberSubtree(child); });
                } else {
                    stack.push_back(child);
                }
            }
        }
        add(total);
    }

    /// Walks a branch from the root's side to its top and numbers its nodes. The branch it hangs on has its numbers.
    Shape numberBranch(std::uint32_t branch) {
        std::uint32_t number = 0;
        std::uint32_t parent = 0;
        Place& place = places_[branch];
        if (branch != branches_.root) {
            const std::uint32_t attach = branches_.attachNode[branch];
            const std::uint32_t other = branches_.parent[branch];
            parent = numberOf_[attach];
            number = parent + 1 + place.offset;
            if (place.isAbove != 0) {
                number += tree_.subtreeEnd[parent] - parent - 1 - hanging_[attach];
            }
            place.depth = places_[other].depth + (nodes_.lowest(other) - attach) + 1;
        }
        std::uint32_t size = branches_.size[branch];
        const std::uint32_t top = nodes_.offset[branch];
        const std::uint32_t lowest = nodes_.lowest(branch);
        for (std::uint32_t node = lowest;; --node) {
            const std::uint32_t before = numberOf_[node];
            numberOf_[node] = number;
            tree_.parent[number] = parent;
            tree_.level[number] = nodes_.level[node] ^ flip_;
            tree_.canonical[number] = nodes_.canonical[node];
            tree_.subtreeEnd[number] = number + size;
            if (node == top) {
                return {size == 1 ? 1U : 0U, place.depth + (lowest - top)};
            }
            size -= 1 + hanging_[node];
            parent = number;
            number += 1 + before;
        }
    }

    void add(const Shape& shape) noexcept {
        leaves_ += shape.leaves;
        std::uint32_t seen = deepest_;
        while (seen < shape.depth && !deepest_.compare_exchange_weak(seen, shape.depth)) {
        }
    }

    const BranchNodes& nodes_;
    const BranchTree& branches_;
    std::uint16_t flip_;
    ComponentTree& tree_;
    const JobControl& control_;
    Buffer<Place> places_;           ///< per branch
    Buffer<std::uint32_t> hanging_;  ///< per node: nodes of the branches that hang on it
    Buffer<std::uint32_t> numberOf_; ///< per node
    tbb::task_group tasks_;
    std::atomic<std::uint32_t> leaves_{0};
    std::atomic<std::uint32_t> deepest_{0};
};

} // namespace

Buffer<std::uint32_t> numberNodes(BranchNodes& nodes, BranchForest forest, std::uint16_t flip, ComponentTree& tree,
                                  const JobControl& control) {
    const BranchTree branches = buildBranchTree(nodes, forest, control);
    forest = BranchForest{};
    control.report(0.8, "numbering");
    Buffer<std::uint32_t> numberOf = Numbering(nodes, branches, flip, tree, control).run();
    nodes.level.reset();
    nodes.canonical.reset();
    return numberOf;
}

} // namespace pollard::cpu

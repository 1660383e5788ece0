#include "cpu/tree_builder.hpp"

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/branch_tree.hpp"
#include "cpu/tile_grid.hpp"
#include "cpu/tree_memory.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>
#include <utility>
#include <vector>

namespace pollard::cpu {

namespace {

struct NodeNumbers {
    Buffer<std::uint32_t> ofNode; ///< per node of the branches: its index in the tree
    Buffer<std::uint32_t>
        islandOffset; ///< per island: index of its first node minus the index of the node that contains it
};

/// Smallest subtree that gets its own task.
constexpr std::uint32_t kTaskNodes = 1U << 14;

/// Number of children of a node or branch from which they are shared out among the threads.
constexpr std::uint32_t kManyChildren = 1U << 12;

/// Position of the lowest node of a branch.
struct Place {
    std::uint32_t offset; ///< its index minus the index of the node to which it is attached
    std::uint32_t depth;  ///< in the tree; before numbering, edges to its farthest node, islands included
};

class Numbering {
public:
    Numbering(const BranchNodes& nodes, const BranchRuns& runs, BranchTree& branches, std::uint16_t flip,
              ComponentTree& tree, const JobControl& control)
        : nodes_(nodes), runs_(runs), branches_(branches), flip_(flip), tree_(tree), control_(control),
          places_(nodes.branchCount()), size_(nodes.nodeCount()), numberOf_(nodes.nodeCount()),
          islandOffset_(runs.islands.size()) {}

    NodeNumbers run() {
        placeBranches();
        control_.report(0.85, "numbering");
        const std::size_t nodeCount = nodes_.nodeCount() + runs_.nodeCount;
        tree_.parent = Buffer<std::uint32_t>(nodeCount);
        tree_.level = Buffer<std::uint16_t>(nodeCount);
        tree_.subtreeEnd = Buffer<std::uint32_t>(nodeCount);
        tree_.canonical = Buffer<std::uint32_t>(nodeCount);
        // The nodes of the longest branch lie far apart, and one thread numbers them.
        touchPages(std::as_writable_bytes(tree_.parent.span()), control_);
        touchPages(std::as_writable_bytes(tree_.level.span()), control_);
        touchPages(std::as_writable_bytes(tree_.subtreeEnd.span()), control_);
        touchPages(std::as_writable_bytes(tree_.canonical.span()), control_);
        places_[branches_.root].offset = 0;

        // Depth first: neighbours in the tree are neighbours in the image and in the numbering, hence in the cache.
        tasks_.run_and_wait([&] { numberSubtree(branches_.root); });
        control_.throwIfStopped();
        // Bare branches are the majority; the order of their indices goes tile by tile.
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
        return {std::move(numberOf_), std::move(islandOffset_)};
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

    /// Whether no branch or island is attached to the branch.
    [[nodiscard]] bool isBare(std::uint32_t branch) const noexcept {
        return branches_.size[branch] == nodes_.count(branch);
    }

    /// Orders the children of every node by canonical pixel: the next node of its own branch, attached branches and
    /// islands. Leaves in numberOf_ the number of nodes between a node and the next one of its branch.
    void placeBranches() {
        forEachRange(
            nodes_.branchCount(), control_,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t b = begin; b != end; ++b) {
                    placeBranch(static_cast<std::uint32_t>(b));
                }
            },
            1U << 10);
    }

    void placeBranch(std::uint32_t branch) {
        const std::uint32_t begin = nodes_.offset[branch];
        const std::uint32_t end = nodes_.offset[branch + 1];
        std::uint32_t furthest = 0; // edges to the farthest node above in the branch and its islands
        const auto above = [&](std::size_t node) { return node != begin ? size_[node - 1] : 0; };
        const auto add = [&](std::size_t node) {
            size_[node] += above(node);
            furthest = std::max(node != begin ? furthest + 1 : 0, numberOf_[node]);
        };
        if (branches_.childStart[end] - branches_.childStart[begin] <= kManyChildren) {
            for (std::uint32_t node = begin; node != end; ++node) {
                measureChildren(node);
                add(node);
                placeChildren(node, above(node));
            }
        } else {
            const auto forEachNode = [&](auto&& visit) {
                forEachIndex(
                    end - begin, control_, [&](std::size_t k) { visit(begin + static_cast<std::uint32_t>(k)); }, 1);
            };
            forEachNode([&](std::uint32_t node) { measureChildren(node); });
            for (std::uint32_t node = begin; node != end; ++node) {
                add(node);
            }
            forEachNode([&](std::uint32_t node) { placeChildren(node, above(node)); });
        }
        places_[branch].depth = furthest;
    }

    [[nodiscard]] std::span<Child> childrenOf(std::uint32_t node) noexcept {
        return branches_.children.span().subspan(branches_.childStart[node],
                                                 branches_.childStart[node + 1] - branches_.childStart[node]);
    }

    [[nodiscard]] std::uint32_t sizeOf(Child child) const noexcept {
        return child.isIsland() ? runs_.islands[child.number()].size : branches_.size[child.number()];
    }

    /// Sorts the children of a node. Leaves in size_ the nodes of the node and its children, and in numberOf_ the edges
    /// to the farthest node of its islands.
    void measureChildren(std::uint32_t node) {
        const std::span<Child> children = childrenOf(node);
        if (children.size() > kManyChildren) {
            tbb::parallel_sort(children.begin(), children.end());
        } else if (children.size() > 1) {
            std::sort(children.begin(), children.end());
        }
        std::uint32_t deepest = 0;
        std::uint32_t size = 1;
        for (const Child& child : children) {
            size += sizeOf(child);
            if (child.isIsland()) {
                deepest = std::max(deepest, runs_.islands[child.number()].depth + 1U);
            }
        }
        size_[node] = size;
        numberOf_[node] = deepest;
    }

    /// Writes where the children of a node begin. Leaves in numberOf_ the number of nodes between the node and the next
    /// one of its branch. @param above nodes of the component of the next node of the branch; 0 = the branch ends here
    void placeChildren(std::uint32_t node, std::uint32_t above) {
        std::uint32_t hanging = 0;
        std::uint32_t before = 0;
        for (const Child& child : childrenOf(node)) {
            const bool isAbove = above != 0 && child.canonical() > nodes_.canonical[node - 1];
            const std::uint32_t offset = 1 + hanging + (isAbove ? above : 0);
            if (child.isIsland()) {
                islandOffset_[child.number()] = offset;
            } else {
                places_[child.number()].offset = offset;
            }
            const std::uint32_t size = sizeOf(child);
            hanging += size;
            before += isAbove ? 0 : size;
        }
        numberOf_[node] = before;
    }

    /// Numbers a branch and its attached branches, except bare ones.
    void numberSubtree(std::uint32_t start) {
        Shape total = numberBranch(start);
        std::vector<std::uint32_t> stack;
        numberAttached(start, stack);
        numberAll(stack, total);
        add(total);
    }

    /// Numbers the branches of the stack, and their attached branches.
    void numberAll(std::vector<std::uint32_t>& stack, Shape& total) {
        while (!stack.empty() && !control_.stopRequested()) {
            const std::uint32_t branch = stack.back();
            stack.pop_back();
            total += numberBranch(branch);
            numberAttached(branch, stack);
        }
    }

    /// Adds the branches attached to a branch to the stack; large ones become tasks, as do parts of many.
    void numberAttached(std::uint32_t branch, std::vector<std::uint32_t>& stack) {
        const std::uint32_t begin = branches_.childStart[nodes_.offset[branch]];
        const std::uint32_t end = branches_.childStart[nodes_.offset[branch + 1]];
        if (end - begin <= kManyChildren) {
            numberChildren(begin, end, stack);
            return;
        }
        for (std::uint32_t from = begin; from < end; from += kManyChildren) {
            tasks_.run([this, from, to = std::min(end - from, kManyChildren) + from] {
                Shape total;
                std::vector<std::uint32_t> mine;
                numberChildren(from, to, mine);
                numberAll(mine, total);
                add(total);
            });
        }
    }

    void numberChildren(std::uint32_t begin, std::uint32_t end, std::vector<std::uint32_t>& stack) {
        for (std::uint32_t c = begin; c != end; ++c) {
            const Child child = branches_.children[c];
            if (child.isIsland() || isBare(child.number())) {
                continue;
            }
            if (branches_.size[child.number()] >= kTaskNodes) {
                tasks_.run([this, branch = child.number()] { numberSubtree(branch); });
            } else {
                stack.push_back(child.number());
            }
        }
    }

    /// Numbers the nodes of a branch from the root side to the top. The branch to which it is attached is already
    /// numbered.
    Shape numberBranch(std::uint32_t branch) {
        std::uint32_t number = 0;
        std::uint32_t parent = 0;
        Place& place = places_[branch];
        const std::uint32_t furthest = std::exchange(place.depth, 0);
        if (branch != branches_.root) {
            const std::uint32_t attach = branches_.attachNode[branch];
            const std::uint32_t other = branches_.parent[branch];
            parent = numberOf_[attach];
            number = parent + place.offset;
            place.depth = places_[other].depth + (nodes_.lowest(other) - attach) + 1;
        }
        const std::uint32_t top = nodes_.offset[branch];
        for (std::uint32_t node = nodes_.lowest(branch);; --node) {
            const std::uint32_t before = numberOf_[node];
            numberOf_[node] = number;
            tree_.parent[number] = parent;
            tree_.level[number] = nodes_.level[node] ^ flip_;
            tree_.canonical[number] = nodes_.canonical[node];
            tree_.subtreeEnd[number] = number + size_[node];
            if (node == top) {
                return {size_[node] == 1 ? 1U : 0U, place.depth + furthest};
            }
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
    const BranchRuns& runs_;
    BranchTree& branches_;
    std::uint16_t flip_;
    ComponentTree& tree_;
    const JobControl& control_;
    Buffer<Place> places_;           ///< per branch
    Buffer<std::uint32_t> size_;     ///< per node: nodes of its component
    Buffer<std::uint32_t> numberOf_; ///< per node
    Buffer<std::uint32_t> islandOffset_;
    tbb::task_group tasks_;
    std::atomic<std::uint32_t> leaves_{0};
    std::atomic<std::uint32_t> deepest_{0};
};

/// Stage 4: numbers the nodes in preorder and fills the node arrays of @p tree (not pixelNode), except for the nodes of
/// islands, which writeTiles() fills. Frees the arrays of @p runs and @p nodes after their last use.
/// @param flip xor-ed onto the levels: 0 for a max-tree, the largest level for a min-tree
NodeNumbers numberNodes(BranchNodes& nodes, BranchRuns& runs, std::uint16_t flip, ComponentTree& tree,
                        const JobControl& control) {
    BranchTree branches = buildBranchTree(nodes, runs, control);
    runs.forest = BranchForest{};
    control.report(0.8, "numbering");
    NodeNumbers numbers = Numbering(nodes, runs, branches, flip, tree, control).run();
    nodes.level.reset();
    nodes.canonical.reset();
    return numbers;
}

/// Node index per run or node of a tile.
using PlaceNumbers = std::array<std::uint32_t, kTilePixels>;

/// Writes the nodes of an island, starting with @p first as node @p base.
/// @param nodes of the tile
/// @param numberOf receives their indices
/// @return number of leaves
std::uint32_t writeIsland(const TileNode* nodes, const TileIsland& island, const TileGrid& grid, const Tile& tile,
                          std::uint32_t parent, std::uint32_t base, std::uint16_t flip, std::uint32_t* numberOf,
                          ComponentTree& tree) {
    std::uint32_t leaves = 0;
    for (std::uint32_t k = 0; k < island.size; ++k) {
        const TileNode& node = nodes[island.node + k];
        const std::uint32_t number = base + k;
        numberOf[island.node + k] = number;
        tree.parent[number] = k == 0 ? parent : base + (std::uint32_t{node.parent} - island.node);
        tree.level[number] = node.level ^ flip;
        tree.subtreeEnd[number] = number + node.size;
        tree.canonical[number] = grid.pixelOf(node.canonical, tile);
        leaves += node.size == 1 ? 1 : 0;
    }
    return leaves;
}

void writePixels(const TileGrid& grid, const Tile& tile, const PlaceNumbers& numberOf, std::uint32_t* pixels) {
    grid.eachRow(tile, [&, width = tile.width](std::uint32_t, std::size_t pixel) {
        std::uint32_t* row = pixels + pixel;
        for (std::uint32_t x = 0; x < width; ++x) {
            row[x] = numberOf[row[x]];
        }
    });
}

/// Stage 5, tile by tile: fills in the nodes of the islands, and converts the pixels' places in their tiles to nodes of
/// the image, which become tree.pixelNode.
/// @param nodeOfRun per run: node of the branches
/// @param flip as for numberNodes()
void writeTiles(BranchRuns& runs, const Buffer<std::uint32_t>& nodeOfRun, const NodeNumbers& numbers,
                std::uint16_t flip, ComponentTree& tree, const JobControl& control) {
    std::atomic<std::uint32_t> leaves{0};
    forEachRange(
        runs.grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            PlaceNumbers numberOf;
            std::uint32_t found = 0;
            for (std::size_t t = begin; t != end; ++t) {
                const Tile tile = runs.grid.tile(t);
                const std::uint32_t runCount = runs.runBase[t + 1] - runs.runBase[t];
                for (std::uint32_t r = 0; r < runCount; ++r) {
                    numberOf[r] = numbers.ofNode[nodeOfRun[runs.runBase[t] + r]];
                }
                for (std::uint32_t k = runs.islandBase[t]; k != runs.islandBase[t + 1]; ++k) {
                    const TileIsland& island = runs.islands[k];
                    const std::uint32_t parent = numberOf[island.run];
                    found += writeIsland(runs.nodes[t].data(), island, runs.grid, tile, parent,
                                         parent + numbers.islandOffset[k], flip, numberOf.data() + runCount, tree);
                }
                runs.nodes[t] = {};
                writePixels(runs.grid, tile, numberOf, runs.placeOfPixel.data());
            }
            leaves += found;
        },
        8);
    tree.leafCount += leaves;
    tree.pixelNode = std::move(runs.placeOfPixel);
}

ComponentTree buildNodes(const Image& image, const TreeSpec& spec, const JobControl& control, StageTimer& timer) {
    requireTileMemory(image, spec.kind, control);
    BranchRuns runs = buildTileTrees(image, spec, TileParts::islands, control);
    requireStageMemory(image.extent(), bytesToCollect(runs));
    timer.finish("tiles");
    control.report(0.45, "seams");
    joinSeams(runs, image, spec, control);
    timer.finish("seams");
    control.report(0.5, "nodes");
    BranchNodes nodes = collectNodes(runs, std::size_t{maxLevelOf(image.type())} + 1, control);
    requireStageMemory(image.extent(), bytesToNumber(nodes, runs));
    timer.finish("nodes");
    control.report(0.75, "numbering");

    ComponentTree tree;
    tree.kind = spec.kind;
    tree.connectivity = spec.connectivity;
    tree.pixelType = image.type();
    tree.width = image.width();
    tree.height = image.height();
    tree.slices = image.extent().slices;
    tree.sides = image.sides();
    const std::uint16_t flip = spec.kind == TreeKind::min ? maxLevelOf(image.type()) : std::uint16_t{0};
    const NodeNumbers numbers = numberNodes(nodes, runs, flip, tree, control);
    timer.finish("numbering");
    control.report(0.92, "pixels");
    writeTiles(runs, nodes.ofRun, numbers, flip, tree, control);
    timer.finish("pixels");
    control.report(1.0, "pixels");
    return tree;
}

} // namespace

ComponentTree buildComponentTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                 StageTimer& timer) {
    try {
        return buildNodes(image, spec, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

namespace {

/// Links every pixel to the canonical pixel of its node, and the canonical pixels of the tiles' own nodes to the
/// canonical pixel of the parent.
void flattenTiles(BranchRuns& runs, const BranchNodes& nodes, const JobControl& control) {
    Buffer<std::uint32_t>& image = runs.placeOfPixel;
    forEachRange(
        runs.grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            std::array<std::uint32_t, kTilePixels> canonical; // per run or node of the tile
            for (std::size_t t = begin; t != end; ++t) {
                const Tile tile = runs.grid.tile(t);
                std::uint32_t* place = canonical.data();
                for (std::uint32_t r = runs.runBase[t]; r != runs.runBase[t + 1]; ++r) {
                    *place++ = nodes.canonical[nodes.ofRun[r]];
                }
                for (const TileLink link : runs.links[t]) {
                    *place++ = runs.grid.pixelOf(link.canonical, tile);
                }
                runs.grid.eachRow(tile, [&, width = tile.width](std::uint32_t, std::size_t pixel) {
                    std::uint32_t* row = image.data() + pixel;
                    for (std::uint32_t x = 0; x < width; ++x) {
                        row[x] = canonical[row[x]];
                    }
                });
                for (const TileLink link : runs.links[t]) {
                    image[runs.grid.pixelOf(link.canonical, tile)] = canonical[link.parent];
                }
                runs.links[t] = {};
            }
        },
        8);
}

/// Links the canonical pixels of the branches' nodes to the canonical pixel of the parent.
void flattenBranches(BranchRuns& runs, const BranchNodes& nodes, const JobControl& control) {
    Buffer<std::uint32_t>& image = runs.placeOfPixel;
    forEachIndex(
        nodes.branchCount(), control,
        [&](std::size_t b) {
            const auto branch = static_cast<std::uint32_t>(b);
            if (nodes.count(branch) == 0) {
                return;
            }
            const std::uint32_t lowest = nodes.lowest(branch);
            for (std::uint32_t node = nodes.offset[b]; node != lowest; ++node) {
                image[nodes.canonical[node]] = nodes.canonical[node + 1];
            }
            const Attachment below = attachmentOf(branch, nodes, runs.forest);
            const bool isRoot = below.branch == BranchForest::kNone;
            image[nodes.canonical[lowest]] = nodes.canonical[isRoot ? lowest : below.node];
        },
        1U << 10);
}

Buffer<std::uint32_t> buildParents(const Image& image, const TreeSpec& spec, const JobControl& control,
                                   StageTimer& timer) {
    BranchRuns runs = buildTileTrees(image, spec, TileParts::links, control);
    timer.finish("tiles");
    joinSeams(runs, image, spec, control);
    timer.finish("seams");
    const BranchNodes nodes = collectNodes(runs, std::size_t{maxLevelOf(image.type())} + 1, control);
    timer.finish("nodes");
    flattenTiles(runs, nodes, control);
    flattenBranches(runs, nodes, control);
    timer.finish("flatten");
    return std::move(runs.placeOfPixel);
}

} // namespace

Buffer<std::uint32_t> buildParentImage(const Image& image, const TreeSpec& spec, const JobControl& control,
                                       StageTimer& timer) {
    try {
        return buildParents(image, spec, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

} // namespace pollard::cpu

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

/// Number of children from which sorting uses all threads.
constexpr std::uint32_t kManyChildren = 1U << 15;

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
          places_(nodes.branchCount()), hanging_(nodes.nodeCount()), numberOf_(nodes.nodeCount()),
          islandOffset_(runs.islands.size()) {}

    NodeNumbers run() {
        placeBranches();
        control_.report(0.85, "numbering");
        const std::size_t nodeCount = nodes_.nodeCount() + runs_.nodeCount;
        tree_.parent = Buffer<std::uint32_t>(nodeCount);
        tree_.level = Buffer<std::uint16_t>(nodeCount);
        tree_.subtreeEnd = Buffer<std::uint32_t>(nodeCount);
        tree_.canonical = Buffer<std::uint32_t>(nodeCount);
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
                    std::uint32_t above = 0; // nodes of the component of the previous node
                    std::uint32_t furthest = 0;
                    for (std::uint32_t node = nodes_.offset[b]; node != nodes_.offset[b + 1]; ++node) {
                        above += placeChildren(node, above, furthest) + 1;
                        furthest += node + 1 != nodes_.offset[b + 1] ? 1 : 0;
                    }
                    places_[b].depth = furthest;
                }
            },
            1U << 10);
    }

    /// @param above nodes of the component of the next node of the branch; 0 = the branch ends here
    /// @param furthest edges from the node to the farthest one above it in the branch and its islands; updated with the
    /// node's own islands
    /// @return number of nodes attached to @p node
    std::uint32_t placeChildren(std::uint32_t node, std::uint32_t above, std::uint32_t& furthest) {
        Child* const begin = branches_.children.data() + branches_.childStart[node];
        Child* const end = branches_.children.data() + branches_.childStart[node + 1];
        if (end - begin > kManyChildren) {
            tbb::parallel_sort(begin, end);
        } else if (end - begin > 1) {
            std::sort(begin, end);
        }
        std::uint32_t hanging = 0;
        std::uint32_t before = 0;
        for (const Child* child = begin; child != end; ++child) {
            const std::uint32_t k = child->number();
            const bool isAbove = above != 0 && child->canonical() > nodes_.canonical[node - 1];
            const std::uint32_t offset = 1 + hanging + (isAbove ? above : 0);
            std::uint32_t size = 0;
            if (child->isIsland()) {
                size = runs_.islands[k].size;
                furthest = std::max(furthest, runs_.islands[k].depth + 1U);
                islandOffset_[k] = offset;
            } else {
                size = branches_.size[k];
                places_[k].offset = offset;
            }
            hanging += size;
            before += isAbove ? 0 : size;
        }
        hanging_[node] = hanging;
        numberOf_[node] = before;
        return hanging;
    }

    /// Numbers a branch and its attached branches, except bare ones.
    void numberSubtree(std::uint32_t start) {
        std::vector<std::uint32_t> stack{start};
        Shape total;
        while (!stack.empty() && !control_.stopRequested()) {
            const std::uint32_t b = stack.back();
            stack.pop_back();
            total += numberBranch(b);
            const std::uint32_t childEnd = branches_.childStart[nodes_.offset[b + 1]];
            for (std::uint32_t c = branches_.childStart[nodes_.offset[b]]; c != childEnd; ++c) {
                if (branches_.children[c].isIsland()) {
                    continue;
                }
                const std::uint32_t child = branches_.children[c].number();
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
        std::uint32_t size = branches_.size[branch];
        const std::uint32_t top = nodes_.offset[branch];
        for (std::uint32_t node = nodes_.lowest(branch);; --node) {
            const std::uint32_t before = numberOf_[node];
            numberOf_[node] = number;
            tree_.parent[number] = parent;
            tree_.level[number] = nodes_.level[node] ^ flip_;
            tree_.canonical[number] = nodes_.canonical[node];
            tree_.subtreeEnd[number] = number + size;
            if (node == top) {
                return {size == 1 ? 1U : 0U, place.depth + furthest};
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
    const BranchRuns& runs_;
    BranchTree& branches_;
    std::uint16_t flip_;
    ComponentTree& tree_;
    const JobControl& control_;
    Buffer<Place> places_;           ///< per branch
    Buffer<std::uint32_t> hanging_;  ///< per node: number of nodes attached to it
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

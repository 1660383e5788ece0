#include "cpu/textbook_trees.hpp"

#include "cpu/tree_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace pollard::cpu {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kCheckEvery = 1U << 18U; ///< pixels between two checks for cancelling

/// Levels of an image in the order of a max-tree, and the neighbours of its pixels.
struct Grid {
    std::vector<std::uint16_t> level;
    Extent extent;
    int reach; ///< coordinates in which a neighbour may differ: 1 (4 or 6), 2 (8 or 18) or 3 (26 neighbours)

    Grid(const Image& image, const TreeSpec& spec)
        : level(image.pixelCount()), extent(image.extent()), reach(reachOf(spec.connectivity)) {
        const std::uint16_t flip = spec.kind == TreeKind::min ? maxLevelOf(image.type()) : std::uint16_t{0};
        for (std::size_t p = 0; p < level.size(); ++p) {
            level[p] = image.level(p) ^ flip;
        }
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(level.size()); }

    /// Calls @p function with the neighbours in raster order.
    template <class Function> void eachNeighbour(std::uint32_t p, Function function) const {
        const std::uint32_t x = p % extent.width;
        const std::uint32_t line = p / extent.width;
        const std::uint32_t y = line % extent.height;
        const std::uint32_t z = line / extent.height;
        const bool left = x > 0;
        const bool right = x + 1 < extent.width;
        // Neighbours in a row whose middle differs from the pixel in some coordinates.
        const auto row = [&](std::uint32_t middle, int differing) {
            if (left && differing < reach) {
                function(middle - 1);
            }
            if (differing > 0) {
                function(middle);
            }
            if (right && differing < reach) {
                function(middle + 1);
            }
        };
        const auto slice = [&](std::uint32_t middle, int differing) {
            if (y > 0 && differing < reach) {
                row(middle - extent.width, differing + 1);
            }
            row(middle, differing);
            if (y + 1 < extent.height && differing < reach) {
                row(middle + extent.width, differing + 1);
            }
        };
        const auto slicePixels = static_cast<std::uint32_t>(extent.slicePixels());
        if (z > 0) {
            slice(p - slicePixels, 1);
        }
        slice(p, 0);
        if (z + 1 < extent.slices) {
            slice(p + slicePixels, 1);
        }
    }

private:
    static int reachOf(Connectivity connectivity) noexcept {
        switch (connectivity) {
        case Connectivity::four:
        case Connectivity::six:
            return 1;
        case Connectivity::eight:
        case Connectivity::eighteen:
            return 2;
        case Connectivity::twentySix:
            break;
        }
        return 3;
    }
};

/// All pixels from the highest level down, in raster order within a level: the canonical pixel of a node is its last.
std::vector<std::uint32_t> sortedPixels(const Grid& grid) {
    std::vector<std::uint32_t> start(std::size_t{1} << 16U, 0);
    for (const std::uint16_t level : grid.level) {
        ++start[level];
    }
    std::uint32_t before = 0;
    for (std::size_t level = start.size(); level-- > 0;) {
        before += std::exchange(start[level], before);
    }
    std::vector<std::uint32_t> sorted(grid.size());
    for (std::uint32_t p = 0; p < grid.size(); ++p) {
        sorted[start[grid.level[p]]++] = p;
    }
    return sorted;
}

std::uint32_t rootOf(std::vector<std::uint32_t>& above, std::uint32_t p) {
    std::uint32_t root = p;
    while (above[root] != root) {
        root = above[root];
    }
    while (above[p] != root) {
        p = std::exchange(above[p], root);
    }
    return root;
}

Buffer<std::uint32_t> unionFind(const Grid& grid, const JobControl& control, StageTimer& timer) {
    const std::vector<std::uint32_t> sorted = sortedPixels(grid);
    timer.finish("sort");
    Buffer<std::uint32_t> parent(grid.size());
    std::vector<std::uint32_t> above(grid.size(), kNone);
    for (std::uint32_t i = 0; i < grid.size(); ++i) {
        if (i % kCheckEvery == 0) {
            control.throwIfStopped();
        }
        const std::uint32_t p = sorted[i];
        parent[p] = p;
        above[p] = p;
        grid.eachNeighbour(p, [&](std::uint32_t q) {
            if (above[q] != kNone) {
                const std::uint32_t root = rootOf(above, q);
                if (root != p) {
                    above[root] = p;
                    parent[root] = p;
                }
            }
        });
    }
    for (std::uint32_t i = grid.size(); i-- > 0;) { // parents first
        const std::uint32_t q = parent[sorted[i]];
        if (grid.level[parent[q]] == grid.level[q]) {
            parent[sorted[i]] = parent[q];
        }
    }
    timer.finish("union");
    return parent;
}

/// Queue of pixels by level. Finds the highest level with two words of bits.
class LevelQueue {
public:
    explicit LevelQueue(std::uint32_t pixels) : next_(pixels), head_(std::size_t{1} << 16U, kNone) {}

    [[nodiscard]] bool isEmpty() const noexcept { return count_ == 0; }
    [[nodiscard]] std::uint16_t highest() const noexcept {
        std::size_t top = top_.size();
        while (top_[--top] == 0) {
        }
        const std::size_t word = top * 64 + 63 - static_cast<std::size_t>(std::countl_zero(top_[top]));
        return static_cast<std::uint16_t>(word * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[word])));
    }
    [[nodiscard]] std::uint32_t first(std::uint16_t level) const noexcept { return head_[level]; }
    void push(std::uint16_t level, std::uint32_t p) noexcept {
        next_[p] = std::exchange(head_[level], p);
        words_[level / 64U] |= bit(level);
        top_[level / 4096U] |= bit(level / 64U);
        ++count_;
    }
    std::uint32_t pop(std::uint16_t level) noexcept {
        const std::uint32_t p = head_[level];
        head_[level] = next_[p];
        if (head_[level] == kNone && (words_[level / 64U] &= ~bit(level)) == 0) {
            top_[level / 4096U] &= ~bit(level / 64U);
        }
        --count_;
        return p;
    }

private:
    static std::uint64_t bit(unsigned number) noexcept { return std::uint64_t{1} << (number % 64U); }

    std::vector<std::uint32_t> next_; ///< per pixel: the next one of its level
    std::vector<std::uint32_t> head_;
    std::array<std::uint64_t, 1024> words_{};
    std::array<std::uint64_t, 16> top_{};
    std::uint32_t count_ = 0;
};

Buffer<std::uint32_t> flood(const Grid& grid, const JobControl& control, StageTimer& timer) {
    struct OpenNode {
        std::uint16_t level;
        std::uint32_t node;
    };
    std::vector<std::uint32_t> canonical; // per node, the last of its pixels so far
    std::vector<std::uint32_t> parentNode;
    std::vector<std::uint32_t> nodeOf(grid.size(), kNone);
    std::vector<OpenNode> open; // the nodes around the present pixel, ascending
    LevelQueue queue(grid.size());
    std::vector<bool> seen(grid.size(), false);
    const auto begin = [&](std::uint16_t level) {
        open.push_back({level, static_cast<std::uint32_t>(canonical.size())});
        canonical.push_back(0);
        parentNode.push_back(kNone);
    };
    queue.push(grid.level[0], 0);
    seen[0] = true;
    for (std::uint32_t step = 0; !queue.isEmpty(); ++step) {
        if (step % kCheckEvery == 0) {
            control.throwIfStopped();
        }
        const std::uint16_t level = queue.highest();
        while (!open.empty() && open.back().level > level) {
            const OpenNode done = open.back();
            open.pop_back();
            if (open.empty() || open.back().level < level) {
                begin(level);
            }
            parentNode[done.node] = open.back().node;
        }
        if (open.empty() || open.back().level < level) {
            begin(level);
        }
        const std::uint32_t p = queue.pop(level);
        const std::uint32_t node = open.back().node;
        nodeOf[p] = node;
        canonical[node] = std::max(canonical[node], p);
        bool higher = false; // is flooded before the other neighbours
        grid.eachNeighbour(p, [&](std::uint32_t q) {
            if (!higher && !seen[q]) {
                seen[q] = true;
                queue.push(grid.level[q], q);
                higher = grid.level[q] > level;
            }
        });
        if (higher) {
            queue.push(level, p);
        }
    }
    for (std::size_t i = 1; i < open.size(); ++i) {
        parentNode[open[i].node] = open[i - 1].node;
    }
    Buffer<std::uint32_t> parent(grid.size());
    for (std::uint32_t p = 0; p < grid.size(); ++p) {
        const std::uint32_t node = nodeOf[p];
        const bool top = canonical[node] == p && parentNode[node] != kNone;
        parent[p] = canonical[top ? parentNode[node] : node];
    }
    timer.finish("flood");
    return parent;
}

/// Numbers the nodes in preorder, children by their canonical pixel.
ComponentTree numbered(const Image& image, const TreeSpec& spec, const Buffer<std::uint32_t>& parent,
                       const JobControl& control) {
    ComponentTree tree;
    tree.kind = spec.kind;
    tree.connectivity = spec.connectivity;
    tree.pixelType = image.type();
    tree.width = image.width();
    tree.height = image.height();
    tree.slices = image.extent().slices;
    tree.sides = image.sides();
    const auto pixels = static_cast<std::uint32_t>(image.pixelCount());
    // Canonical pixels in raster order; their children are then in that order, too.
    std::vector<std::uint32_t> place(pixels, kNone);
    std::vector<std::uint32_t> canonical;
    for (std::uint32_t p = 0; p < pixels; ++p) {
        if (parent[p] == p || image.level(parent[p]) != image.level(p)) {
            place[p] = static_cast<std::uint32_t>(canonical.size());
            canonical.push_back(p);
        }
    }
    const auto nodes = static_cast<std::uint32_t>(canonical.size());
    std::vector<std::uint32_t> start(nodes + 1, 0);
    std::uint32_t root = 0;
    for (const std::uint32_t p : canonical) {
        if (parent[p] == p) {
            root = place[p];
        } else {
            ++start[place[parent[p]] + 1];
        }
    }
    for (std::uint32_t i = 0; i < nodes; ++i) {
        start[i + 1] += start[i];
    }
    std::vector<std::uint32_t> children(nodes);
    std::vector<std::uint32_t> end(start.begin(), start.end() - 1);
    for (const std::uint32_t p : canonical) {
        if (parent[p] != p) {
            children[end[place[parent[p]]]++] = place[p];
        }
    }
    control.throwIfStopped();
    tree.parent = Buffer<std::uint32_t>(nodes);
    tree.level = Buffer<std::uint16_t>(nodes);
    tree.subtreeEnd = Buffer<std::uint32_t>(nodes);
    tree.canonical = Buffer<std::uint32_t>(nodes);
    std::vector<std::uint32_t> number(nodes);
    std::vector<std::uint32_t> depth(nodes, 0);
    std::vector<std::uint32_t> waiting{root};
    for (std::uint32_t node = 0; !waiting.empty(); ++node) {
        const std::uint32_t at = waiting.back();
        waiting.pop_back();
        number[at] = node;
        const std::uint32_t p = canonical[at];
        tree.canonical[node] = p;
        tree.level[node] = image.level(p);
        tree.parent[node] = at == root ? 0 : number[place[parent[p]]];
        tree.subtreeEnd[node] = node + 1;
        depth[node] = at == root ? 0 : depth[tree.parent[node]] + 1;
        tree.depth = std::max(tree.depth, depth[node]);
        tree.leafCount += start[at] == start[at + 1] ? 1U : 0U;
        for (std::uint32_t i = start[at + 1]; i-- > start[at];) {
            waiting.push_back(children[i]);
        }
    }
    for (std::uint32_t node = nodes; node-- > 1;) {
        auto& reached = tree.subtreeEnd[tree.parent[node]];
        reached = std::max(reached, tree.subtreeEnd[node]);
    }
    tree.pixelNode = Buffer<std::uint32_t>(pixels);
    for (std::uint32_t p = 0; p < pixels; ++p) {
        tree.pixelNode[p] = number[place[place[p] != kNone ? p : parent[p]]];
    }
    return tree;
}

} // namespace

Buffer<std::uint32_t> buildTextbookParents(const Image& image, const TreeSpec& spec, const JobControl& control,
                                           StageTimer& timer) {
    try {
        const Grid grid(image, spec);
        return spec.algorithm == kFlooding ? flood(grid, control, timer) : unionFind(grid, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

ComponentTree buildTextbookTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                StageTimer& timer) {
    const Buffer<std::uint32_t> parents = buildTextbookParents(image, spec, control, timer);
    control.report(0.7, "numbering");
    try {
        ComponentTree tree = numbered(image, spec, parents, control);
        timer.finish("numbering");
        return tree;
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

} // namespace pollard::cpu

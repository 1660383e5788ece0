#include "chunks/merge/merge_graph.hpp"

#include "base/disjoint_sets.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kHeights = std::size_t{1} << 16;

/// The edges, the highest first, each at the smaller height of its vertices.
Buffer<VertexEdge> sortedEdges(const Vertices& vertices, const std::vector<VertexEdge>& seamEdges) {
    const auto lower = [&](const VertexEdge& edge) {
        return std::min(vertices.height[edge.a], vertices.height[edge.b]);
    };
    const auto forEach = [&](auto&& visit) {
        for (std::uint32_t v = 0; v < vertices.size(); ++v) {
            if (vertices.parent[v] != Part::kNone) {
                visit(VertexEdge{v, vertices.parent[v]});
            }
        }
        std::ranges::for_each(seamEdges, visit);
    };
    std::vector<std::size_t> place(kHeights, 0);
    std::size_t count = 0;
    forEach([&](const VertexEdge& edge) {
        ++place[lower(edge)];
        ++count;
    });
    std::size_t sum = 0;
    for (std::size_t height = kHeights; height-- > 0;) {
        sum += std::exchange(place[height], sum);
    }
    Buffer<VertexEdge> edges(count);
    forEach([&](const VertexEdge& edge) { edges[place[lower(edge)]++] = edge; });
    return edges;
}

/// Vertices that are one node, and their parents.
struct EqualVertices {
    DisjointSets equal;           ///< vertices that are one node
    Buffer<std::uint32_t> parent; ///< of a node's representative: any vertex of its parent; Part::kNone without one

    EqualVertices(const Vertices& vertices, const Buffer<VertexEdge>& edges, const JobControl& control)
        : equal(vertices.size()), parent(vertices.size()) {
        std::ranges::fill(parent.span(), Part::kNone);
        DisjointSets joined(vertices.size());
        Buffer<std::uint32_t> lowest(vertices.size()); // of each set of joined vertices
        std::iota(lowest.begin(), lowest.end(), 0U);
        constexpr std::size_t kEdgesPerCheck = std::size_t{1} << 20;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (e % kEdgesPerCheck == 0) {
                control.throwIfStopped();
            }
            const std::uint32_t a = joined.find(edges[e].a);
            const std::uint32_t b = joined.find(edges[e].b);
            if (a == b) {
                continue;
            }
            std::uint32_t low = equal.find(lowest[a]);
            std::uint32_t high = equal.find(lowest[b]);
            if (vertices.height[low] > vertices.height[high]) {
                std::swap(low, high);
            }
            if (vertices.height[low] == vertices.height[high]) {
                equal.join(high, low);
            } else {
                parent[high] = low;
            }
            joined.join(b, a);
            lowest[a] = low;
        }
    }
};

/// Numbers the nodes by their heights. @return node per vertex
Buffer<std::uint32_t> numberNodes(const Vertices& vertices, EqualVertices& tree, std::size_t& count) {
    std::vector<std::uint32_t> place(kHeights, 0);
    count = 0;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        if (tree.equal.find(v) == v) {
            ++place[vertices.height[v]];
            ++count;
        }
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& each : place) {
        sum += std::exchange(each, sum);
    }
    Buffer<std::uint32_t> node(vertices.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        if (tree.equal.find(v) == v) {
            node[v] = place[vertices.height[v]]++;
        }
    }
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        node[v] = node[tree.equal.find(v)];
    }
    return node;
}

/// Pairs of seams that face each other in different parts.
class FacingSeams {
public:
    FacingSeams(const PartJob& job, std::span<const Part* const> parts) : job_(job) {
        for (std::uint32_t k = 0; k < parts.size(); ++k) {
            for (const Seam& seam : parts[k]->seams) {
                seams_.push_back({&seam, k});
            }
        }
        std::ranges::sort(seams_, {}, keyOf);
        if (std::ranges::adjacent_find(seams_, {}, keyOf) != seams_.end()) {
            throw Error(ErrorCode::invalidArgument, "merge parts: two of them have the same chunk");
        }
    }

    /// The seam of another part that faces this one; null if there is none.
    [[nodiscard]] const PlacedSeam* facing(const PlacedSeam& placed) const {
        const auto chunk = job_.grid.neighbour(placed.seam->chunk, placed.seam->direction);
        const std::pair key{*chunk, placed.seam->direction.opposite()};
        const auto found = std::ranges::lower_bound(seams_, key, {}, keyOf);
        return found != seams_.end() && keyOf(*found) == key ? &*found : nullptr;
    }

    [[nodiscard]] std::span<const PlacedSeam> all() const noexcept { return seams_; }

private:
    [[nodiscard]] static std::pair<std::uint64_t, Direction> keyOf(const PlacedSeam& placed) noexcept {
        return {placed.seam->chunk, placed.seam->direction};
    }

    const PartJob& job_;
    std::vector<PlacedSeam> seams_;
};

/// Edges across two facing seams, without those that others imply.
class SeamEdges {
public:
    SeamEdges(const PartJob& job, const Vertices& vertices) : job_(job), vertices_(vertices) {}

    /// Appends the edges.
    void add(const PlacedSeam& from, const PlacedSeam& to, std::vector<VertexEdge>& edges) const {
        const Extent layer = SeamLayer::of(job_.grid.boxOf(from.seam->chunk).extent, from.seam->direction).extent;
        const Side a{from.seam->node.span(), vertices_.start[from.part]};
        const Side b{to.seam->node.span(), vertices_.start[to.part]};
        if (a.node.size() != layer.pixelCount() || b.node.size() != a.node.size()) {
            throw Error(ErrorCode::invalidArgument, "merge parts: they are of different grids");
        }
        addStraight(a, b, layer, edges);
        addSlanted(a, b, layer, from.seam->direction, edges);
    }

private:
    struct Side {
        std::span<const std::uint32_t> node;
        std::uint32_t start;

        [[nodiscard]] std::uint32_t vertex(std::size_t i) const noexcept { return start + node[i]; }
    };

    [[nodiscard]] std::uint16_t heightAt(const Side& side, std::size_t i) const noexcept {
        return vertices_.height[side.vertex(i)];
    }

    /// In a row of pixels, a pair is implied by the next or previous pair if that is higher, or as high and previous,
    /// because the pixels of each side are adjacent.
    void addStraight(const Side& a, const Side& b, const Extent& layer, std::vector<VertexEdge>& edges) const {
        const std::size_t length = layer.width > 1 ? layer.width : layer.height > 1 ? layer.height : layer.slices;
        const std::size_t count = a.node.size();
        const auto heightOf = [&](std::size_t i) { return std::min(heightAt(a, i), heightAt(b, i)); };
        for (std::size_t row = 0; row < count; row += length) {
            int previous = -1;
            int height = heightOf(row);
            for (std::size_t i = row; i < row + length; ++i) {
                const int next = i + 1 < row + length ? heightOf(i + 1) : -1;
                if (height > previous && height >= next) {
                    edges.push_back({a.vertex(i), b.vertex(i)});
                }
                previous = height;
                height = next;
            }
        }
    }

    /// A slanted pair is implied if a pixel beside either is as high as both.
    void addSlanted(const Side& a, const Side& b, const Extent& layer, Direction direction,
                    std::vector<VertexEdge>& edges) const {
        for (std::uint8_t index = 0; index < Direction::kCount; ++index) {
            const Direction step{index};
            const bool inLayer = (direction.x() == 0 || step.x() == 0) && (direction.y() == 0 || step.y() == 0) &&
                                 (direction.z() == 0 || step.z() == 0);
            const Direction whole =
                Direction::of(direction.x() + step.x(), direction.y() + step.y(), direction.z() + step.z());
            if (index == Direction::kNone || !inLayer || !whole.joins(job_.connectivity)) {
                continue;
            }
            forEachPair(layer, step, [&](std::size_t i, std::size_t j) {
                const std::uint16_t height = std::min(heightAt(a, i), heightAt(b, j));
                if (heightAt(a, j) < height && heightAt(b, i) < height) {
                    edges.push_back({a.vertex(i), b.vertex(j)});
                }
            });
        }
    }

    /// Calls visit(i, j) for all pixels of the layer whose neighbour by @p step is in the layer.
    template <class Visit> static void forEachPair(const Extent& layer, Direction step, Visit&& visit) {
        const auto range = [](std::uint32_t length, int by) {
            return std::pair{by < 0 ? 1U : 0U, by > 0 ? length - 1 : length};
        };
        const auto [left, right] = range(layer.width, step.x());
        const auto [top, bottom] = range(layer.height, step.y());
        const auto [first, last] = range(layer.slices, step.z());
        const std::ptrdiff_t offset =
            (std::ptrdiff_t{step.z()} * layer.height + step.y()) * static_cast<std::ptrdiff_t>(layer.width) + step.x();
        for (std::uint32_t z = first; z < last; ++z) {
            for (std::uint32_t y = top; y < bottom; ++y) {
                const std::size_t row = (std::size_t{z} * layer.height + y) * layer.width;
                for (std::uint32_t x = left; x < right; ++x) {
                    visit(row + x, row + x + static_cast<std::size_t>(offset));
                }
            }
        }
    }

    const PartJob& job_;
    const Vertices& vertices_;
};

} // namespace

Vertices::Vertices(std::span<const Part* const> parts) {
    std::uint64_t count = 0;
    for (const Part* part : parts) {
        start.push_back(static_cast<std::uint32_t>(count));
        count += part->nodeCount();
        if (count >= Part::kNone) {
            throw Error(ErrorCode::limitExceeded,
                        "merge parts: " + std::to_string(count) + " open nodes; use larger parts");
        }
    }
    start.push_back(static_cast<std::uint32_t>(count));
    height = Buffer<std::uint16_t>(count);
    parent = Buffer<std::uint32_t>(count);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        std::ranges::copy(parts[k]->height.span(), height.begin() + start[k]);
        std::ranges::transform(parts[k]->parent.span(), parent.begin() + start[k],
                               [&](std::uint32_t p) { return p == Part::kNone ? Part::kNone : start[k] + p; });
    }
}

VertexTree::VertexTree(const Vertices& vertices, const std::vector<VertexEdge>& seamEdges, const JobControl& control) {
    Buffer<VertexEdge> edges = sortedEdges(vertices, seamEdges);
    EqualVertices joined(vertices, edges, control);
    edges.reset();
    nodeOf = numberNodes(vertices, joined, count);
    parent = Buffer<std::uint32_t>(count);
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        if (joined.equal.find(v) == v) {
            parent[nodeOf[v]] = joined.parent[v] == Part::kNone ? Part::kNone : nodeOf[joined.parent[v]];
        }
    }
}

MergedSeams::MergedSeams(const PartJob& job, std::span<const Part* const> parts, const Vertices& vertices) {
    const FacingSeams seams(job, parts);
    const SeamEdges across(job, vertices);
    for (const PlacedSeam& seam : seams.all()) {
        const PlacedSeam* facing = seams.facing(seam);
        if (facing == nullptr) {
            staying.push_back(seam);
        } else if (&seam < facing) {
            across.add(seam, *facing, edges);
        }
    }
}

} // namespace pollard

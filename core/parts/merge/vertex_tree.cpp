#include "parts/merge/vertex_tree.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kHeights = std::size_t{1} << 16;

/// Disjoint sets of numbers.
class Sets {
public:
    explicit Sets(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), 0U); }

    [[nodiscard]] std::uint32_t find(std::uint32_t i) noexcept {
        while (of_[i] != i) {
            of_[i] = of_[of_[i]];
            i = of_[i];
        }
        return i;
    }
    /// Puts the set of @p i, a representative, into that of @p into.
    void put(std::uint32_t i, std::uint32_t into) noexcept { of_[i] = into; }

private:
    Buffer<std::uint32_t> of_;
};

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
    Sets equal;                   ///< vertices that are one node
    Buffer<std::uint32_t> parent; ///< of a node's representative: any vertex of its parent; Part::kNone without one

    EqualVertices(const Vertices& vertices, const Buffer<VertexEdge>& edges, const JobControl& control)
        : equal(vertices.size()), parent(vertices.size()) {
        std::ranges::fill(parent.span(), Part::kNone);
        Sets joined(vertices.size());
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
                equal.put(high, low);
            } else {
                parent[high] = low;
            }
            joined.put(b, a);
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

} // namespace pollard

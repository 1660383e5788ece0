#include "parts/merge_parts.hpp"

#include "base/error.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = Part::kNone;
constexpr std::size_t kHeights = std::size_t{1} << 16;
/// Memory of a merge per vertex besides its summaries: vertices, edges, sets and the step.
constexpr std::uint64_t kVertexBytes = 80;

struct Edge {
    std::uint32_t a, b;
};

/// The open nodes of all parts, one part after another.
struct Vertices {
    std::vector<std::uint32_t> start; ///< of each part, and the end
    Buffer<std::uint16_t> height;
    Buffer<std::uint32_t> parent;

    explicit Vertices(std::span<const Part* const> parts) {
        std::uint64_t count = 0;
        for (const Part* part : parts) {
            start.push_back(static_cast<std::uint32_t>(count));
            count += part->nodeCount();
            if (count >= kNone) {
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
                                   [&](std::uint32_t p) { return p == kNone ? kNone : start[k] + p; });
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return height.size(); }
};

/// A seam of one of the parts.
struct PlacedSeam {
    const Seam* seam;
    std::uint32_t part;
};

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
    void add(const PlacedSeam& from, const PlacedSeam& to, std::vector<Edge>& edges) const {
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

    /// Of pixels in a row a pair is implied by the next or previous one if that is higher, or as high and previous: the
    /// pixels of each side are adjacent.
    void addStraight(const Side& a, const Side& b, const Extent& layer, std::vector<Edge>& edges) const {
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

    /// A slanted pair is implied where a pixel beside either is as high as both.
    void addSlanted(const Side& a, const Side& b, const Extent& layer, Direction direction,
                    std::vector<Edge>& edges) const {
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
Buffer<Edge> sortedEdges(const Vertices& vertices, const std::vector<Edge>& seamEdges) {
    const auto lower = [&](const Edge& edge) { return std::min(vertices.height[edge.a], vertices.height[edge.b]); };
    const auto forEach = [&](auto&& visit) {
        for (std::uint32_t v = 0; v < vertices.size(); ++v) {
            if (vertices.parent[v] != kNone) {
                visit(Edge{v, vertices.parent[v]});
            }
        }
        std::ranges::for_each(seamEdges, visit);
    };
    std::vector<std::size_t> place(kHeights, 0);
    std::size_t count = 0;
    forEach([&](const Edge& edge) {
        ++place[lower(edge)];
        ++count;
    });
    std::size_t sum = 0;
    for (std::size_t height = kHeights; height-- > 0;) {
        sum += std::exchange(place[height], sum);
    }
    Buffer<Edge> edges(count);
    forEach([&](const Edge& edge) { edges[place[lower(edge)]++] = edge; });
    return edges;
}

/// The tree of the vertices: equal vertices are one node.
struct VertexTree {
    Sets equal;                   ///< vertices that are one node
    Buffer<std::uint32_t> parent; ///< of a node's representative: any vertex of its parent; kNone without one

    VertexTree(const Vertices& vertices, const Buffer<Edge>& edges, const JobControl& control)
        : equal(vertices.size()), parent(vertices.size()) {
        std::ranges::fill(parent.span(), kNone);
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
Buffer<std::uint32_t> numberNodes(const Vertices& vertices, VertexTree& tree, std::size_t& count) {
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

/// Copies a seam with its nodes replaced.
template <class NodeOf> Seam renumbered(const Seam& seam, NodeOf&& nodeOf) {
    Seam out{seam.chunk, seam.direction, Buffer<std::uint32_t>(seam.node.size())};
    std::ranges::transform(seam.node.span(), out.node.begin(), nodeOf);
    return out;
}

/// Closes the nodes of a step that are not marked as open, and makes a part of the others.
/// @param open per node 1 if it is open
Part closeNodes(const PartJob& job, const Buffer<std::uint8_t>& open, Summaries& summaries, MergeStep& step) {
    const std::size_t count = step.nodeCount();
    step.bits = Buffer<std::uint8_t>(count);
    step.openNode = Buffer<std::uint32_t>(count);
    const std::size_t measures = job.measured.size();
    step.values = Buffer<double>(count * measures);
    std::uint32_t openCount = 0;
    for (std::size_t node = 0; node < count; ++node) {
        step.openNode[node] = open[node] != 0 ? openCount++ : kNone;
    }
    for (std::size_t node = count; node-- > 0;) {
        step.bits[node] = 0;
        if (open[node] != 0) {
            continue;
        }
        const std::uint32_t parent = step.parent[node];
        const std::uint16_t parentHeight = parent == kNone ? step.height[node] : step.height[parent];
        step.bits[node] = closeNode(job, summaries, node, step.height[node], parentHeight);
        if (measures > 0) {
            measureNode(job, summaries, node, step.height[node], parentHeight,
                        step.values.span().subspan(node * measures, measures));
        }
        if (parent != kNone) {
            handToParent(summaries, parent, summaries, node);
        }
    }
    Part part{Buffer<std::uint16_t>(openCount), Buffer<std::uint32_t>(openCount), Summaries(job.needs, openCount), {}};
    for (std::size_t node = 0; node < count; ++node) {
        const std::uint32_t place = step.openNode[node];
        if (place != kNone) {
            part.height[place] = step.height[node];
            part.parent[place] = step.parent[node] == kNone ? kNone : step.openNode[step.parent[node]];
            part.own.join(place, summaries, node);
        }
    }
    if (summaries.has<FirstPixel>()) {
        step.first = std::move(summaries.of<FirstPixel>());
    }
    for (const Prominence measure : kAllProminences) {
        step.leaves[static_cast<std::size_t>(measure)] = std::move(summaries.bestLeaf(measure));
    }
    return part;
}

} // namespace

std::size_t Part::bytes() const noexcept {
    std::size_t sum = height.bytes() + parent.bytes() + own.needs().bytes() * nodeCount();
    for (const Seam& seam : seams) {
        sum += seam.node.bytes();
    }
    return sum;
}

std::size_t MergeStep::bytes() const noexcept {
    std::size_t sum =
        height.bytes() + parent.bytes() + bits.bytes() + openNode.bytes() + first.bytes() + values.bytes();
    for (const Buffer<LeafMeasure>& column : leaves) {
        sum += column.bytes();
    }
    for (const Buffer<std::uint32_t>& nodes : nodeOfInput) {
        sum += nodes.bytes();
    }
    return sum;
}

void requireResults(const PartResults& results, std::size_t count) {
    if (results.height.size() != count) {
        throw Error(ErrorCode::invalidArgument, "results of a part: " + std::to_string(results.height.size()) +
                                                    " for " + std::to_string(count) + " open nodes");
    }
}

Part mergeParts(const PartJob& job, std::span<const Part* const> parts, MergeStep& step, const JobControl& control) {
    const Vertices vertices(parts);
    const FacingSeams seams(job, parts);
    std::vector<Edge> seamEdges;
    std::vector<const PlacedSeam*> staying;
    const SeamEdges across(job, vertices);
    for (const PlacedSeam& seam : seams.all()) {
        const PlacedSeam* facing = seams.facing(seam);
        if (facing == nullptr) {
            staying.push_back(&seam);
        } else if (&seam < facing) {
            across.add(seam, *facing, seamEdges);
        }
    }
    control.throwIfStopped();
    Buffer<Edge> edges = sortedEdges(vertices, seamEdges);
    VertexTree tree(vertices, edges, control);
    edges.reset();
    std::size_t count = 0;
    const Buffer<std::uint32_t> nodeOf = numberNodes(vertices, tree, count);

    step = {};
    step.height = Buffer<std::uint16_t>(count);
    step.parent = Buffer<std::uint32_t>(count);
    Summaries summaries(job.needs, count);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::size_t inputs = parts[k]->nodeCount();
        Buffer<std::uint32_t> nodes(inputs);
        for (std::size_t i = 0; i < inputs; ++i) {
            const std::size_t v = vertices.start[k] + i;
            nodes[i] = nodeOf[v];
            step.height[nodes[i]] = vertices.height[v];
            summaries.join(nodes[i], parts[k]->own, i);
        }
        step.nodeOfInput.push_back(std::move(nodes));
    }
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        if (tree.equal.find(v) == v) {
            step.parent[nodeOf[v]] = tree.parent[v] == kNone ? kNone : nodeOf[tree.parent[v]];
        }
    }
    control.throwIfStopped();

    Buffer<std::uint8_t> open(count);
    std::ranges::fill(open.span(), std::uint8_t{0});
    for (const PlacedSeam* placed : staying) {
        for (const std::uint32_t node : placed->seam->node) {
            open[nodeOf[vertices.start[placed->part] + node]] = 1;
        }
    }
    for (std::size_t node = count; node-- > 0;) {
        if (open[node] != 0 && step.parent[node] != kNone) {
            open[step.parent[node]] = 1;
        }
    }
    Part part = closeNodes(job, open, summaries, step);
    for (const PlacedSeam* placed : staying) {
        part.seams.push_back(renumbered(*placed->seam, [&](std::uint32_t node) {
            return step.openNode[nodeOf[vertices.start[placed->part] + node]];
        }));
    }
    return part;
}

void requireMergeMemory(const PartJob& job, std::uint64_t nodes, std::uint64_t memory, const std::string& place) {
    const std::uint64_t needed = nodes * (kVertexBytes + 2 * job.needs.bytes());
    if (needed > memory) {
        throw Error(ErrorCode::outOfMemory,
                    "work in chunks: " + place + ": " + std::to_string(nodes) +
                        " nodes reach over the seams and need " + sizeText(needed) + ", " + sizeText(memory) +
                        " are allowed; allow more memory, use larger chunks or fewer grey levels");
    }
}

RowMerge::RowMerge(const PartJob& job, std::uint64_t row, std::uint64_t rows, std::uint64_t memory)
    : job_(job), place_("row " + std::to_string(row + 1) + " of " + std::to_string(rows)), memory_(memory) {}

void RowMerge::add(Part part) {
    nodes_ += part.nodeCount();
    requireMergeMemory(job_, nodes_, memory_, place_);
    parts_.push_back(std::move(part));
}

std::vector<const Part*> RowMerge::parts() const {
    std::vector<const Part*> all;
    std::ranges::transform(parts_, std::back_inserter(all), [](const Part& part) { return &part; });
    return all;
}

Part RowMerge::merged(MergeStep& step, const JobControl& control) const {
    return mergeParts(job_, parts(), step, control);
}

std::vector<PartResults> resultsOf(const PartJob& job, const MergeStep& step, const PartResults& results,
                                   std::uint64_t& kept) {
    const bool labels = job.filter.output == Output::labels;
    requireResults(results,
                   step.nodeCount() - static_cast<std::size_t>(std::ranges::count(step.openNode.span(), kNone)));
    PartResults all(step.nodeCount(), labels);
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        const std::uint32_t open = step.openNode[node];
        if (open != kNone) {
            all.set(node, results.at(open));
            continue;
        }
        const std::uint32_t parent = step.parent[node];
        const std::uint64_t first = labels ? step.first[node] : NodeResult::kNone;
        NodeResult result;
        if (parent == kNone) {
            result = resultOf(job.filter.rule, step.bits[node], step.height[node], first, step.height[node], nullptr);
            ++kept;
        } else {
            const NodeResult above = all.at(parent);
            result = resultOf(job.filter.rule, step.bits[node], step.height[node], first, step.height[parent], &above);
            kept += (result.flags & NodeResult::kStays) != 0 ? 1 : 0;
        }
        all.set(node, result);
    }
    std::vector<PartResults> out;
    for (const Buffer<std::uint32_t>& nodes : step.nodeOfInput) {
        PartResults& part = out.emplace_back(nodes.size(), labels);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            part.set(i, all.at(nodes[i]));
        }
    }
    return out;
}

} // namespace pollard

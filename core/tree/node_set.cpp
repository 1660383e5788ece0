#include "tree/node_set.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace pollard {

NodeSet makeNodeSet(std::vector<std::uint32_t> nodes) {
    if (!std::ranges::is_sorted(nodes)) {
        std::ranges::sort(nodes);
    }
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

NodeSet combined(const NodeSet& set, const NodeSet& other, SetChange change) {
    NodeSet result;
    switch (change) {
    case SetChange::replace:
        return other;
    case SetChange::add:
        std::ranges::set_union(set, other, std::back_inserter(result));
        break;
    case SetChange::subtract:
        std::ranges::set_difference(set, other, std::back_inserter(result));
        break;
    case SetChange::intersect:
        std::ranges::set_intersection(set, other, std::back_inserter(result));
        break;
    }
    return result;
}

std::vector<NodeInterval> maximalComponents(const ComponentTree& tree, const NodeSet& set) {
    std::vector<NodeInterval> intervals;
    for (const std::uint32_t node : set) {
        if (intervals.empty() || node >= intervals.back().end) {
            intervals.push_back({node, tree.subtreeEnd[node]});
        }
    }
    return intervals;
}

std::vector<std::uint8_t> flagsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals) {
    std::vector<std::uint8_t> flags(tree.nodeCount());
    for (const NodeInterval& interval : intervals) {
        std::fill(flags.begin() + interval.first, flags.begin() + interval.end, std::uint8_t{1});
    }
    return flags;
}

std::vector<std::uint32_t> bitsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals) {
    constexpr std::uint32_t kBits = 32;
    constexpr std::uint32_t kAll = 0xffffffffU;
    std::vector<std::uint32_t> words((tree.nodeCount() + kBits - 1) / kBits);
    for (const auto& [first, end] : intervals) { // never empty
        const std::size_t from = first / kBits;
        const std::size_t last = (end - 1) / kBits;
        const std::uint32_t head = kAll << first % kBits;
        const std::uint32_t tail = kAll >> (kBits - 1 - (end - 1) % kBits);
        if (from == last) {
            words[from] |= head & tail;
            continue;
        }
        words[from] |= head;
        std::fill(words.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                  words.begin() + static_cast<std::ptrdiff_t>(last), kAll);
        words[last] |= tail;
    }
    return words;
}

Mask maskOfNodes(const ComponentTree& tree, const std::vector<std::uint8_t>& flags, std::uint32_t slice) {
    Mask mask(tree.width, tree.height, false);
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, tree.height), [&](const auto& rows) {
        for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
            const std::size_t row = std::size_t{slice} * tree.height + y;
            const std::uint32_t* const nodes = tree.pixelNode.data() + row * tree.width;
            for (std::uint32_t x = 0; x < tree.width; ++x) {
                if (nodes[x] < flags.size() && flags[nodes[x]] != 0) {
                    mask.set(x, y, true);
                }
            }
        }
    });
    return mask;
}

std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node) { return chainOf(tree, node, {}); }

std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node,
                                   std::span<const std::uint32_t> known) {
    std::vector<std::uint32_t> chain;
    auto rest = known.begin(); // ancestors have smaller indices
    for (;; node = tree.parent[node]) {
        rest = std::find_if(rest, known.end(), [node](std::uint32_t each) { return each <= node; });
        if (rest != known.end() && *rest == node) {
            break;
        }
        chain.push_back(node);
        if (node == 0) {
            break;
        }
    }
    chain.insert(chain.end(), rest, known.end());
    return chain;
}

std::optional<std::uint32_t> firstChild(const ComponentTree& tree, std::uint32_t node) noexcept {
    return node + 1 < tree.subtreeEnd[node] ? std::optional(node + 1) : std::nullopt;
}

std::optional<std::uint32_t> nextSibling(const ComponentTree& tree, std::uint32_t node) noexcept {
    const std::uint32_t next = tree.subtreeEnd[node];
    return node != 0 && next < tree.subtreeEnd[tree.parent[node]] ? std::optional(next) : std::nullopt;
}

std::optional<std::uint32_t> previousSibling(const ComponentTree& tree, std::uint32_t node) noexcept {
    if (node == 0 || node == tree.parent[node] + 1) {
        return std::nullopt;
    }
    std::uint32_t child = tree.parent[node] + 1;
    while (tree.subtreeEnd[child] != node) {
        child = tree.subtreeEnd[child];
    }
    return child;
}

std::vector<double> drawnPlaces(const ComponentTree& tree, std::uint32_t node) {
    const std::uint32_t end = tree.subtreeEnd[node];
    const auto isLeaf = [&tree](std::uint32_t n) { return tree.subtreeEnd[n] == n + 1; };
    std::vector<double> places(end - node);
    double leaves = 0;
    for (std::uint32_t n = node; n < end; ++n) {
        places[n - node] = isLeaf(n) ? leaves++ + 0.5 : 0;
    }
    std::vector<double> last(places.size()); // position of a node's last child
    for (std::uint32_t n = end; n-- > node;) {
        double& place = places[n - node];
        if (!isLeaf(n)) {
            place = (places[n + 1 - node] + last[n - node]) / 2;
        }
        if (n != node) {
            double& lastOfParent = last[tree.parent[n] - node];
            lastOfParent = std::max(lastOfParent, place); // siblings run from left to right
        }
    }
    for (double& place : places) {
        place /= leaves;
    }
    return places;
}

} // namespace pollard

#include "tree/node_set.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

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

} // namespace pollard

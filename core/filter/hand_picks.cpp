#include "filter/hand_picks.hpp"

#include <algorithm>

namespace pollard {

namespace {

std::vector<std::uint32_t> nodesOf(const ComponentTree& tree, std::span<const std::uint32_t> picks,
                                   std::uint32_t& unknown) {
    std::vector<std::uint32_t> nodes;
    nodes.reserve(picks.size());
    for (const std::uint32_t pick : picks) {
        if (const auto node = nodeOfCanonical(tree, pick)) {
            nodes.push_back(*node);
        } else {
            ++unknown;
        }
    }
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

} // namespace

std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept {
    if (canonical >= tree.pixelCount()) {
        return std::nullopt;
    }
    const std::uint32_t node = tree.pixelNode[canonical];
    return tree.canonical[node] == canonical ? std::optional(node) : std::nullopt;
}

HandPicks resolvePicks(const ComponentTree& tree, std::span<const std::uint32_t> removed,
                       std::span<const std::uint32_t> kept) {
    HandPicks picks;
    picks.removed = nodesOf(tree, removed, picks.unknown);
    picks.kept = nodesOf(tree, kept, picks.unknown);
    // Components are intervals in preorder: one that starts before the end of another lies in it.
    std::uint32_t end = 0;
    std::erase_if(picks.removed, [&](std::uint32_t node) {
        const bool inside = node < end;
        end = inside ? end : tree.subtreeEnd[node];
        return inside;
    });
    std::erase_if(picks.kept, [&](std::uint32_t node) {
        const auto after = std::ranges::upper_bound(picks.removed, node);
        return after != picks.removed.begin() && tree.contains(*(after - 1), node);
    });
    return picks;
}

} // namespace pollard

#include "filter/hand_picks.hpp"

#include <algorithm>
#include <span>

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

/// Drops nodes that lie inside another. Components are intervals in preorder: one that starts before the end of another
/// is inside it.
void dropInner(const ComponentTree& tree, std::vector<std::uint32_t>& nodes) {
    std::uint32_t end = 0;
    std::erase_if(nodes, [&](std::uint32_t node) {
        const bool inside = node < end;
        end = inside ? end : tree.subtreeEnd[node];
        return inside;
    });
}

} // namespace

std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept {
    if (canonical >= tree.pixelCount()) {
        return std::nullopt;
    }
    const std::uint32_t node = tree.pixelNode[canonical];
    return tree.canonical[node] == canonical ? std::optional(node) : std::nullopt;
}

HandPicks resolvePicks(const ComponentTree& tree, const FilterSpec& spec) {
    HandPicks picks;
    picks.removed = nodesOf(tree, spec.removed, picks.unknown);
    picks.kept = nodesOf(tree, spec.kept, picks.unknown);
    picks.only = nodesOf(tree, spec.only, picks.unknown);
    dropInner(tree, picks.removed);
    dropInner(tree, picks.only);
    std::erase_if(picks.kept, [&](std::uint32_t node) {
        const auto after = std::ranges::upper_bound(picks.removed, node);
        return after != picks.removed.begin() && tree.contains(*(after - 1), node);
    });
    return picks;
}

} // namespace pollard

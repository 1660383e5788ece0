#include "filter/node_decision.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/filter_columns.hpp"
#include "filter/forest.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>

namespace pollard {

Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep) {
    Buffer<std::uint16_t> out(tree.nodeCount());
    out[0] = tree.level[0];
    sweepDown(tree, JobControl{}, [&](std::uint32_t node, std::uint32_t parent) {
        out[node] = levelBelow(out[parent], tree, rule, keep, node);
    });
    return out;
}

namespace {

/// Per node 1 if a pruning must keep it; empty if @p forced is.
Buffer<std::uint8_t> forcedNodes(const ComponentTree& tree, std::span<const std::uint32_t> forced) {
    if (forced.empty()) {
        return {};
    }
    Buffer<std::uint8_t> flags(tree.nodeCount());
    std::fill(flags.begin(), flags.end(), std::uint8_t{0});
    for (const std::uint32_t node : forced) {
        flags[node] = 1;
    }
    spreadToAncestors(tree, flags);
    return flags;
}

/// Dynamic programming from the leaves. The excess is the cost of keeping a node, if its parent is kept, less the cost
/// of removing it with its descendants: excess(n) = (n meets the criteria ? -1 : 1) + sum of min(excess(child), 0). A
/// node is kept if its excess is not positive. |excess| is at most the number of nodes.
void pruneWithFewestChanges(const ComponentTree& tree, const Buffer<std::uint8_t>& forced, Buffer<std::uint8_t>& keep,
                            const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::int64_t> excess(n);
    forEachIndex(n, control, [&](std::size_t i) { excess[i] = excessAlone(keep[i]); });
    keepIfCheaper(tree, excess, keep);
    control.throwIfStopped();
    if (!forced.empty()) {
        // Ancestors of forced nodes are forced too, so their excess does not matter.
        forEachIndex(n, control, [&](std::size_t i) { keep[i] = static_cast<std::uint8_t>(keep[i] | forced[i]); });
    }
    keep[0] = 1;
    removeDescendants(tree, keep);
}

} // namespace

void spreadToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags) noexcept {
    raiseToAncestors(tree, flags);
}

void applyRule(Rule rule, const ComponentTree& tree, std::span<const std::uint32_t> forced, Buffer<std::uint8_t>& keep,
               const JobControl& control) {
    control.throwIfStopped();
    switch (rule) {
    case Rule::direct:
    case Rule::subtractive:
        break;
    case Rule::min: {
        const Buffer<std::uint8_t> stay = forcedNodes(tree, forced);
        for (std::size_t i = 0; i < stay.size(); ++i) {
            keep[i] = static_cast<std::uint8_t>(keep[i] | stay[i]);
        }
        removeDescendants(tree, keep);
        break;
    }
    case Rule::max:
        spreadToAncestors(tree, keep);
        break;
    case Rule::viterbi:
        pruneWithFewestChanges(tree, forcedNodes(tree, forced), keep, control);
        break;
    }
    control.throwIfStopped();
}

std::vector<std::uint32_t> prominentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                           std::uint32_t count) {
    std::vector<std::uint32_t> leaves;
    leaves.reserve(tree.leafCount);
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        if (tree.subtreeEnd[node] == node + 1) {
            leaves.push_back(node);
        }
    }
    if (count >= leaves.size()) {
        return leaves;
    }
    std::visit(
        [&]<class T>(const Buffer<T>& values) {
            const auto before = [&](std::uint32_t a, std::uint32_t b) {
                if constexpr (std::is_floating_point_v<T>) {
                    if (std::isnan(values[a]) != std::isnan(values[b])) {
                        return std::isnan(values[b]);
                    }
                }
                if (values[a] > values[b] || values[a] < values[b]) {
                    return values[a] > values[b];
                }
                return tree.canonical[a] < tree.canonical[b];
            };
            std::ranges::nth_element(leaves, leaves.begin() + count, before);
        },
        column.values);
    leaves.resize(count);
    std::ranges::sort(leaves);
    return leaves;
}

Buffer<std::uint8_t> markProminentLeaves(const ComponentTree& tree, const AttributeColumn& column, std::uint32_t count,
                                         const JobControl& control) {
    Buffer<std::uint8_t> holds(tree.nodeCount());
    std::fill(holds.begin(), holds.end(), std::uint8_t{0});
    for (const std::uint32_t leaf : prominentLeaves(tree, column, count)) {
        holds[leaf] = 1;
    }
    control.throwIfStopped();
    spreadToAncestors(tree, holds);
    control.throwIfStopped();
    return holds;
}

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

void requireSize(const std::shared_ptr<const AttributeColumn>& column, std::size_t nodeCount) {
    if (column == nullptr || column->size() != nodeCount) {
        throw Error(ErrorCode::invalidArgument, "filter the tree: a column has " +
                                                    std::to_string(column == nullptr ? 0 : column->size()) +
                                                    " values, the tree " + std::to_string(nodeCount) + " nodes");
    }
}

} // namespace

Buffer<std::uint8_t> meetCriteria(const FilterSpec& spec, const FilterColumns& columns, std::size_t nodeCount,
                                  const JobControl& control) {
    const bool all = spec.match == Match::all || spec.criteria.empty();
    Buffer<std::uint8_t> meets(nodeCount);
    std::fill(meets.begin(), meets.end(), std::uint8_t{all});
    for (std::size_t c = 0; c < spec.criteria.size(); ++c) {
        std::visit(
            [&]<class T>(const Buffer<T>& values) {
                const CriterionBounds<T> bounds = boundsOf<T>(spec.criteria[c]);
                forEachIndex(nodeCount, control, [&](std::size_t i) {
                    const bool in = !bounds.empty && values[i] >= bounds.minimum && values[i] <= bounds.maximum;
                    meets[i] = static_cast<std::uint8_t>(all ? meets[i] & in : meets[i] | in);
                });
            },
            columns.criteria[c]->values);
    }
    return meets;
}

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

NodeDecision decideNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                         const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    if (columns.criteria.size() != spec.criteria.size()) {
        throw Error(ErrorCode::invalidArgument, "filter the tree: " + std::to_string(columns.criteria.size()) +
                                                    " columns for " + std::to_string(spec.criteria.size()) +
                                                    " criteria");
    }
    for (const auto& column : columns.criteria) {
        requireSize(column, n);
    }
    NodeDecision decision;
    decision.keep = meetForest(tree, spec, columns, control);
    Buffer<std::uint8_t>& keep = decision.keep;
    if (spec.prominent) {
        requireSize(columns.prominence, n);
        const auto around = markProminentLeaves(tree, *columns.prominence, spec.prominent->count, control);
        forEachIndex(n, control, [&](std::size_t i) { keep[i] = static_cast<std::uint8_t>(keep[i] & around[i]); });
    }
    const HandPicks picks = resolvePicks(tree, spec);
    decision.unknownPicks = picks.unknown;
    for (const std::uint32_t node : picks.kept) {
        keep[node] = 1;
    }
    decision.rootCounts = keep[0] != 0;
    applyRule(spec.rule, tree, picks.kept, keep, control);
    if (spec.rule == Rule::max) {
        decision.rootCounts = keep[0] != 0;
    }
    for (const std::uint32_t node : picks.removed) {
        std::fill(keep.begin() + node, keep.begin() + tree.subtreeEnd[node], std::uint8_t{0});
        decision.rootCounts = decision.rootCounts && node != 0;
    }
    if (!spec.only.empty()) {
        std::uint32_t outside = 0; // first node after the previous picked component
        for (const std::uint32_t node : picks.only) {
            std::fill(keep.begin() + outside, keep.begin() + node, std::uint8_t{0});
            outside = tree.subtreeEnd[node];
        }
        std::fill(keep.begin() + outside, keep.end(), std::uint8_t{0});
        decision.rootCounts = decision.rootCounts && !picks.only.empty() && picks.only.front() == 0;
    }
    keep[0] = 1;
    return decision;
}

} // namespace pollard

#include "filter/node_decision.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/criterion_bounds.hpp"
#include "filter/hand_picks.hpp"
#include "filter/node_rules.hpp"
#include "filter/prominent_leaves.hpp"

#include <algorithm>
#include <string>

namespace pollard {

namespace {

void requireSize(const std::shared_ptr<const AttributeColumn>& column, std::size_t nodeCount) {
    if (column == nullptr || column->size() != nodeCount) {
        throw Error(ErrorCode::invalidArgument, "filter the tree: a column has " +
                                                    std::to_string(column == nullptr ? 0 : column->size()) +
                                                    " values, the tree " + std::to_string(nodeCount) + " nodes");
    }
}

/// Per node 1 if it meets the criteria.
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

} // namespace

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
    decision.keep = meetCriteria(spec, columns, n, control);
    Buffer<std::uint8_t>& keep = decision.keep;
    if (spec.prominent) {
        requireSize(columns.prominence, n);
        const auto around = holdProminentLeaves(tree, *columns.prominence, spec.prominent->count, control);
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

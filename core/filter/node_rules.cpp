#include "filter/node_rules.hpp"

#include "base/parallel.hpp"
#include "filter/rule_passes.hpp"

#include <algorithm>

namespace pollard {

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

/// Dynamic programming from the leaves. The excess is the cost of keeping a node, if its parent is kept, less that of
/// removing it with its descendants: excess(n) = (n meets the criteria ? -1 : 1) + sum of min(excess(child), 0). A node
/// is kept if its excess is not positive. |excess| is at most the number of nodes.
void pruneWithFewestChanges(const ComponentTree& tree, const Buffer<std::uint8_t>& forced, Buffer<std::uint8_t>& keep,
                            const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::int64_t> excess(n);
    forEachIndex(n, control, [&](std::size_t i) { excess[i] = excessAlone(keep[i]); });
    keepWhereCheaper(tree, excess, keep);
    control.throwIfStopped();
    if (!forced.empty()) {
        // Ancestors of forced nodes are forced too, so their excess does not matter.
        forEachIndex(n, control, [&](std::size_t i) { keep[i] = static_cast<std::uint8_t>(keep[i] | forced[i]); });
    }
    keep[0] = 1;
    keepUnderKept(tree, keep);
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
        keepUnderKept(tree, keep);
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

} // namespace pollard

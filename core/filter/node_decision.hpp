#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Per node the level that its pixels get in the filtered image. keep[0] is ignored: the root is kept.
///
/// Rule::subtractive: out(root) = level(root), else out(n) = out(parent) + (kept ? level(n) - level(parent) : 0). This
/// lies between level(root) and level(n), because every step has the sign of the tree's steps, so results never leave
/// the range of the image type. (E. R. Urbach, M. H. F. Wilkinson, "Shape-only granulometries and grey-scale shape
/// filters", ISMM 2002.)
/// Other rules: the level of the nearest kept node among the node and its ancestors. O(nodes), parallel.
[[nodiscard]] Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule,
                                                   const Buffer<std::uint8_t>& keep);

/// Sets the flag (0 or 1) of every node with a flagged descendant. O(nodes).
void spreadToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags) noexcept;

/// Replaces the decisions of the criteria (1 = meets them) by the decisions of a rule. O(nodes).
/// - direct, subtractive: unchanged;
/// - min: a node stays if it and all its ancestors do;
/// - max: a node stays if it or a descendant does;
/// - viterbi: the pruning (a set that contains the root and the parent of each node) that changes the fewest decisions;
///   at a tie the union of the tied prunings.
/// keep[0] is the rule's decision for the root, always 1 under viterbi; callers that keep the root in any case set it
/// afterwards.
/// @param forced nodes with a decision of 1 that a pruning must keep, with their ancestors
/// Literature: P. Salembier, A. Oliveras, L. Garrido, "Antiextensive connected operators for image and sequence
/// processing", IEEE Trans. Image Processing 7(4), 1998.
/// @throws Cancelled
void applyRule(Rule rule, const ComponentTree& tree, std::span<const std::uint32_t> forced, Buffer<std::uint8_t>& keep,
               const JobControl& control);

/// The @p count leaves with the largest values of @p column, ascending; at a tie the leaves with smaller canonical
/// pixel indices. All leaves if there are fewer. NaN is less than every number. O(nodes).
[[nodiscard]] std::vector<std::uint32_t> prominentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                         std::uint32_t count);

/// Per node 1 if its component contains one of prominentLeaves(), else 0.
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint8_t> markProminentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                       std::uint32_t count, const JobControl& control);

/// The node with the canonical pixel @p canonical; nothing if there is none.
[[nodiscard]] std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept;

/// FilterSpec::removed, kept and only as nodes of one tree.
struct HandPicks {
    std::vector<std::uint32_t> removed; ///< ascending, none inside another
    std::vector<std::uint32_t> kept;    ///< ascending, none inside a removed one
    std::vector<std::uint32_t> only;    ///< ascending, none inside another
    std::uint32_t unknown = 0;          ///< picks without a node
};

/// Finds the picked nodes. O(k log k) for k picks.
[[nodiscard]] HandPicks resolvePicks(const ComponentTree& tree, const FilterSpec& spec);

/// Per node 1 if it meets the criteria, combined by FilterSpec::match, else 0.
/// @param columns that contain the columns of the criteria, with @p nodeCount values
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint8_t> meetCriteria(const FilterSpec& spec, const FilterColumns& columns,
                                                std::size_t nodeCount, const JobControl& control);

/// The nodes of a tree that a filter keeps.
struct NodeDecision {
    Buffer<std::uint8_t> keep; ///< per node 1 or 0; keep[0] == 1, since the root always stays
    /// Whether the root is a kept component itself, not only the mandatory root: under direct, min, viterbi and
    /// subtractive if it meets the criteria (or was picked), under max if any node does.
    bool rootCounts = false;
    std::uint32_t unknownPicks = 0; ///< as in FilterReport
};

/// Applies in this order: criteria combined by match; the forest; prominence; nodes picked to be kept; the rule; nodes
/// picked to be removed; FilterSpec::only. A few passes in the order of indices, independent of the tree's depth.
/// @throws Error(invalidArgument) if a column is missing or has another size than the tree; Cancelled
[[nodiscard]] NodeDecision decideNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                       const JobControl& control);

} // namespace pollard

// Passes of the rules over a tree, each O(nodes) in the order of indices. A watcher is called after each node; the
// default has no cost.

namespace pollard {

/// Ignores all calls.
struct NoWatcher {
    template <class... Facts> constexpr void operator()(const Facts&...) const noexcept {}
};

/// From the root: removes the descendants of removed nodes.
/// @param watch (node)
template <class Watch = NoWatcher>
void removeDescendants(const ComponentTree& tree, Buffer<std::uint8_t>& keep, Watch&& watch = {}) {
    for (std::size_t i = 1; i < keep.size(); ++i) {
        keep[i] = static_cast<std::uint8_t>(keep[i] & keep[tree.parent[i]]);
        watch(i);
    }
}

/// From the leaves: flags the ancestors of flagged nodes.
/// @param watch (node), called after the node's flag was passed to its parent
template <class Watch = NoWatcher>
void raiseToAncestors(const ComponentTree& tree, Buffer<std::uint8_t>& flags, Watch&& watch = {}) {
    for (std::size_t i = flags.size(); i-- > 1;) {
        std::uint8_t& up = flags[tree.parent[i]];
        up = static_cast<std::uint8_t>(up | flags[i]);
        watch(i);
    }
}

/// Excess of a node without its children: the cost of keeping it, in changed decisions, less the cost of removing it.
[[nodiscard]] constexpr std::int64_t excessAlone(std::uint8_t keep) noexcept { return keep != 0 ? -1 : 1; }

/// From the leaves, dynamic programming: keeps a node, provided that its parent is kept, if this costs no more than
/// removing it with its descendants.
/// @param excess excessAlone() of every node; becomes the excess of its component
/// @param watch (node, its excess)
template <class Watch = NoWatcher> void keepIfCheaper(const ComponentTree& tree, Buffer<std::int64_t>& excess,
                                                      Buffer<std::uint8_t>& keep, Watch&& watch = {}) {
    for (std::size_t i = tree.nodeCount(); i-- > 1;) {
        excess[tree.parent[i]] += std::min<std::int64_t>(excess[i], 0);
        keep[i] = excess[i] <= 0 ? 1 : 0;
        watch(i, excess[i]);
    }
}

/// Level of the pixels of a node, see filteredLevels(). @param above of its parent
[[nodiscard]] inline std::uint16_t levelBelow(std::uint16_t above, const ComponentTree& tree, Rule rule,
                                              const Buffer<std::uint8_t>& keep, std::size_t node) noexcept {
    if (rule == Rule::subtractive) {
        const int step = keep[node] != 0 ? tree.level[node] - tree.level[tree.parent[node]] : 0;
        return static_cast<std::uint16_t>(above + step);
    }
    return keep[node] != 0 ? tree.level[node] : above;
}

/// From the root: the levels of filteredLevels().
/// @param watch (node, level of its pixels)
template <class Watch>
void watchLevels(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep, Watch&& watch) {
    std::vector<std::uint16_t> out(tree.nodeCount());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = i == 0 ? tree.level[0] : levelBelow(out[tree.parent[i]], tree, rule, keep, i);
        watch(i, out[i]);
    }
}

} // namespace pollard

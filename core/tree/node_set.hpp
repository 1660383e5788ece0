#pragma once

#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Nodes of one tree: indices in ascending order, without duplicates.
using NodeSet = std::vector<std::uint32_t>;

/// Makes a set of indices in any order, duplicates allowed. O(n log n).
[[nodiscard]] NodeSet makeNodeSet(std::vector<std::uint32_t> nodes);

/// How a new selection changes a set of nodes.
enum class SetChange : std::uint8_t {
    replace,   ///< the new set
    add,       ///< union
    subtract,  ///< difference
    intersect, ///< intersection
};
/// Applies the change. O(nodes of both).
[[nodiscard]] NodeSet combined(const NodeSet& set, const NodeSet& other, SetChange change);

/// Node indices first <= n < end.
struct NodeInterval {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    bool operator==(const NodeInterval&) const = default;
};

/// The components of a set without an ancestor in the set, each as the interval of its nodes: ascending and disjoint. A
/// pixel belongs to a component of the set iff its node is in one of the intervals.
[[nodiscard]] std::vector<NodeInterval> maximalComponents(const ComponentTree& tree, const NodeSet& set);

/// Per node of the tree, 1 if it is in one of the intervals, else 0.
[[nodiscard]] std::vector<std::uint8_t> flagsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals);

/// As flagsOf(), in bits: bit n % 32 of word n / 32 for node n; bits beyond the last node are 0.
[[nodiscard]] std::vector<std::uint32_t> bitsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals);

/// The pixels whose node has a non-zero flag. Parallel over rows.
/// @param flags one per node
/// @param slice of a volume, whose pixels these are
[[nodiscard]] Mask maskOfNodes(const ComponentTree& tree, const std::vector<std::uint8_t>& flags,
                               std::uint32_t slice = 0);

/// The component @p node and its ancestors, from the node to the root. O(length).
[[nodiscard]] std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node);
/// Chain of a node, given the chain of another node: follows parents only up to the smallest common component, because
/// a deep chain costs thousands of cache misses.
/// @param known empty, or a result of chainOf()
[[nodiscard]] std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node,
                                                 std::span<const std::uint32_t> known);

/// The child with the smallest canonical pixel; nothing for a leaf.
[[nodiscard]] std::optional<std::uint32_t> firstChild(const ComponentTree& tree, std::uint32_t node) noexcept;
/// The next child of the same parent; nothing for the last child and for the root.
[[nodiscard]] std::optional<std::uint32_t> nextSibling(const ComponentTree& tree, std::uint32_t node) noexcept;
/// The previous child of the same parent; nothing for the first child and for the root. O(children before).
[[nodiscard]] std::optional<std::uint32_t> previousSibling(const ComponentTree& tree, std::uint32_t node) noexcept;

/// Horizontal positions 0 .. 1 for drawing the nodes of the component @p node, in the order of their indices: leaves at
/// equal distances, every other node midway between its first and last child. O(nodes of the component).
[[nodiscard]] std::vector<double> drawnPlaces(const ComponentTree& tree, std::uint32_t node);

} // namespace pollard

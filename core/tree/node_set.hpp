#pragma once

#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes of one tree: indices in ascending order, without duplicates.
using NodeSet = std::vector<std::uint32_t>;

/// Makes a set of indices in any order, duplicates allowed. O(n log n).
[[nodiscard]] NodeSet makeNodeSet(std::vector<std::uint32_t> nodes);

/// How a new selection changes a set.
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

} // namespace pollard

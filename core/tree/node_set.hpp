#pragma once

#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Some nodes of one tree: their numbers in ascending order, each once.
using NodeSet = std::vector<std::uint32_t>;

/// The set of these numbers, which may come in any order and several times. O(n log n)
[[nodiscard]] NodeSet makeNodeSet(std::vector<std::uint32_t> nodes);

/// What becomes of a set when another one is chosen.
enum class SetChange : std::uint8_t {
    replace,   ///< the other one
    add,       ///< what is in one of them
    subtract,  ///< what is not in the other one
    intersect, ///< what is in both
};
/// O(nodes of both).
[[nodiscard]] NodeSet combined(const NodeSet& set, const NodeSet& other, SetChange change);

/// Node numbers first <= n < end.
struct NodeInterval {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    bool operator==(const NodeInterval&) const = default;
};

/// The components of a set that no other component of it holds, each as the interval of all nodes in it: ascending
/// and disjoint. A pixel belongs to one of the set's components if its node is in one of the intervals.
[[nodiscard]] std::vector<NodeInterval> maximalComponents(const ComponentTree& tree, const NodeSet& set);

/// For every node of the tree 1 if it is in one of the intervals, else 0.
[[nodiscard]] std::vector<std::uint8_t> flagsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals);

/// The same in a 32nd part of the memory: bit n % 32 of word n / 32 for node n; those beyond the last node are 0.
[[nodiscard]] std::vector<std::uint32_t> bitsOf(const ComponentTree& tree, const std::vector<NodeInterval>& intervals);

/// The pixels whose node has a flag. Parallel over rows.
/// @param flags one a node
[[nodiscard]] Mask maskOfNodes(const ComponentTree& tree, const std::vector<std::uint8_t>& flags);

} // namespace pollard

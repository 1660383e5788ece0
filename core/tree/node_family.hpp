#pragma once

#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The component @p node and its ancestors, from the node to the root. O(length).
[[nodiscard]] std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node);
/// Chain of a node, given the chain of another component of the tree: follows parents only up to the smallest common
/// component, since a deep chain costs thousands of cache misses.
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

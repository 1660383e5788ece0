#pragma once

#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The component @p node and all that hold it, from it to the root. O(their number).
[[nodiscard]] std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node);
/// The same, with the chain of another component of this tree at hand: parents are looked up only below the smallest
/// component that is in both. A deep chain is thousands of looks into memory that is far apart.
/// @param known empty, or made by chainOf()
[[nodiscard]] std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node,
                                                 std::span<const std::uint32_t> known);

/// The child with the smallest canonical pixel; nothing for a leaf.
[[nodiscard]] std::optional<std::uint32_t> firstChild(const ComponentTree& tree, std::uint32_t node) noexcept;
/// The next child of the same parent; nothing after the last one, and for the root.
[[nodiscard]] std::optional<std::uint32_t> nextSibling(const ComponentTree& tree, std::uint32_t node) noexcept;
/// The child before it of the same parent; nothing before the first one, and for the root. O(children before).
[[nodiscard]] std::optional<std::uint32_t> previousSibling(const ComponentTree& tree, std::uint32_t node) noexcept;

/// Where the nodes of the component @p node, in the order of their numbers, are drawn from left to right, 0 .. 1: its
/// leaves side by side at equal distances, every other node in the middle between its first and its last child. O(their
/// number).
[[nodiscard]] std::vector<double> drawnPlaces(const ComponentTree& tree, std::uint32_t node);

} // namespace pollard

#pragma once

#include "attributes/attribute.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

inline constexpr std::size_t kMostDotNodes = 100000;

/// A component and those in it as a graph in the DOT language of GraphViz, from parent to child, at most @p most of
/// them: level after level below the component, within a level in the order of their numbers. Every node is labelled
/// with its number, grey level and the given attributes; one whose children were left out has a dashed border.
/// (Gansner, North: "An open graph visualization system and its applications to software engineering", 2000)
/// @throws Error(invalidArgument) if there is no such node, or for @p most of 0 or above kMostDotNodes
[[nodiscard]] std::string subtreeDot(const ComponentTree& tree, std::uint32_t node, std::size_t most,
                                     const std::vector<std::shared_ptr<const AttributeColumn>>& columns);

} // namespace pollard

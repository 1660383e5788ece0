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

/// The subtree of a component as a graph in GraphViz's DOT language, edges from parent to child: at most @p most nodes
/// in breadth-first order, siblings by index. Labels show the index, the grey level and the given attributes; nodes
/// with omitted children have a dashed border. (Gansner, North: "An open graph visualization system and its
/// applications to software engineering", 2000)
/// @throws Error(invalidArgument) if the node does not exist, or if @p most is 0 or above kMostDotNodes
[[nodiscard]] std::string subtreeDot(const ComponentTree& tree, std::uint32_t node, std::size_t most,
                                     const std::vector<std::shared_ptr<const AttributeColumn>>& columns);

} // namespace pollard

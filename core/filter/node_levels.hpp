#pragma once

#include "base/buffer.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// What the pixels of each node become, given which nodes are kept (the root is, whatever keep[0] says).
///
/// Rule::subtractive: out(root) = level(root), else out(n) = out(parent) + (kept ? level(n) - level(parent) : 0);
/// that lies between the root's level and level(n), since every step goes the way the tree does and no further than the
/// levels do: no result leaves the type of the image. (E. R. Urbach, M. H. F. Wilkinson, "Shape-only granulometries
/// and grey-scale shape filters", ISMM 2002.)
/// Other rules: the level of the nearest kept of the node and its ancestors. O(nodes).
[[nodiscard]] Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule,
                                                   const Buffer<std::uint8_t>& keep);

} // namespace pollard

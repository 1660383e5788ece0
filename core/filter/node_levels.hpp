#pragma once

#include "base/buffer.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Per node the level that its pixels get in the filtered image. keep[0] is ignored: the root is kept.
///
/// Rule::subtractive: out(root) = level(root), else out(n) = out(parent) + (kept ? level(n) - level(parent) : 0). This
/// lies between level(root) and level(n), because every step has the sign of the tree's steps, so results never leave
/// the range of the image type. (E. R. Urbach, M. H. F. Wilkinson, "Shape-only granulometries and grey-scale shape
/// filters", ISMM 2002.)
/// Other rules: the level of the nearest kept node among the node and its ancestors. O(nodes).
[[nodiscard]] Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule,
                                                   const Buffer<std::uint8_t>& keep);

} // namespace pollard

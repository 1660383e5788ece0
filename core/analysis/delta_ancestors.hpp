#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// For every node the component that holds it @p delta grey levels lower (min-tree: higher): the ancestor nearest to
/// the root, or the node itself, whose level differs from the node's by at most @p delta.
///
/// The path from the root to the node is kept while the nodes are visited in the order of their numbers, and searched
/// by halving: O(nodes * log depth), parallel.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint32_t> deltaAncestors(const ComponentTree& tree, std::uint16_t delta,
                                                   const JobControl& control = {});

} // namespace pollard

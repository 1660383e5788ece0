#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

// Depths and descendant counts of nodes. O(nodes), parallel.

namespace pollard::cpu {

/// Edges from the root to each node.
[[nodiscard]] Buffer<std::uint32_t> depthsOf(const ComponentTree& tree, const JobControl& control);
/// Nodes whose parent is the node.
[[nodiscard]] Buffer<std::uint32_t> childCountsOf(const ComponentTree& tree, const JobControl& control);
/// Leaves in the component; 1 for a leaf.
[[nodiscard]] Buffer<std::uint32_t> leafCountsOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

struct NodeNumbers {
    Buffer<std::uint32_t> ofNode;       ///< per node of the branches: its index in the tree
    Buffer<std::uint32_t> islandOffset; ///< per island: index of its first node minus that of the node that contains it
};

/// Stage 4: numbers the nodes in preorder and fills the node arrays of @p tree (not pixelNode), except for the nodes of
/// islands, which writeTiles() fills. Frees the arrays of @p runs and @p nodes after their last use.
/// @param flip xor-ed onto the levels: 0 for a max-tree, the largest level for a min-tree
[[nodiscard]] NodeNumbers numberNodes(BranchNodes& nodes, BranchRuns& runs, std::uint16_t flip, ComponentTree& tree,
                                      const JobControl& control);

} // namespace pollard::cpu

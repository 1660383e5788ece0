#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

struct NodeNumbers {
    Buffer<std::uint32_t> ofNode;       ///< per node of the branches: its number in the tree
    Buffer<std::uint32_t> islandOffset; ///< per island: number of its first node less that of the node it lies in
};

/// Stage 4: numbers the nodes in preorder and fills the node arrays of @p tree (not pixelNode), except for the nodes of
/// islands, which writeIslands() fills in.
/// @param flip xor-ed onto the levels: 0 for a max-tree, the largest level for a min-tree
/// Frees what it takes from @p runs and @p nodes as soon as it is done with it.
[[nodiscard]] NodeNumbers numberNodes(BranchNodes& nodes, BranchRuns& runs, std::uint16_t flip, ComponentTree& tree,
                                      const JobControl& control);

} // namespace pollard::cpu

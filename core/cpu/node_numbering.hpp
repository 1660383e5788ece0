#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_forest.hpp"
#include "cpu/branch_nodes.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Stage 4: numbers the nodes in preorder and fills the node arrays of @p tree (not pixelNode).
/// @param flip xor-ed onto the levels: 0 for a max-tree, the largest level for a min-tree
/// Frees what it takes from @p forest and @p nodes as soon as it is done with it.
/// @return per node of @p nodes its number in the tree
[[nodiscard]] Buffer<std::uint32_t> numberNodes(BranchNodes& nodes, BranchForest forest, std::uint16_t flip,
                                                ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

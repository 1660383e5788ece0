#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_forest.hpp"
#include "cpu/branch_nodes.hpp"

#include <cstdint>

namespace pollard::cpu {

/// The tree of branches: which node of which other branch each one hangs on. It is shallow, since a branch hangs on one
/// of higher priority.
struct BranchTree {
    std::uint32_t root = 0;
    Buffer<std::uint32_t> parent;     ///< per branch: the branch it hangs on; kNone for the root and for empty branches
    Buffer<std::uint32_t> attachNode; ///< per branch: the node its lowest node hangs on
    Buffer<std::uint32_t> childStart; ///< per node, and one more: its part of `children`
    Buffer<std::uint32_t> children;   ///< the branches that hang on each node
    Buffer<std::uint32_t> size;       ///< per branch: number of nodes of it and of all that hangs on it
};

[[nodiscard]] BranchTree buildBranchTree(const BranchNodes& nodes, const BranchForest& forest,
                                         const JobControl& control);

} // namespace pollard::cpu

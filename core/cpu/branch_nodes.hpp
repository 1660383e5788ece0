#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_runs.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Nodes grouped by branch: those of branch b are [offset[b], offset[b + 1]), the top of the branch first. Branches
/// that lose all their pixels at a seam have none.
struct BranchNodes {
    Buffer<std::uint32_t> offset;    ///< per branch, and the total
    Buffer<std::uint16_t> level;     ///< per node, descending inside a branch
    Buffer<std::uint32_t> canonical; ///< per node
    Buffer<std::uint32_t> ofRun;     ///< per run: its node

    [[nodiscard]] std::size_t branchCount() const noexcept { return offset.size() - 1; }
    [[nodiscard]] std::size_t nodeCount() const noexcept { return level.size(); }
    [[nodiscard]] std::uint32_t count(std::uint32_t branch) const noexcept {
        return offset[branch + 1] - offset[branch];
    }
    /// The branch's node next to the root.
    [[nodiscard]] std::uint32_t lowest(std::uint32_t branch) const noexcept { return offset[branch + 1] - 1; }
};

/// Stage 3: finds every run's branch in the whole image, and merges the runs with equal branch and level into a node.
/// Frees the runs.
/// @param levels above the highest level of the image's type
[[nodiscard]] BranchNodes collectNodes(BranchRuns& runs, std::size_t levels, const JobControl& control);

} // namespace pollard::cpu

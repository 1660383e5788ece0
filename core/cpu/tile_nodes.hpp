#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/node_numbering.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Stage 5, tile by tile: fills in the nodes of the islands, and converts the pixels' places in their tiles to nodes of
/// the image, which become tree.pixelNode.
/// @param nodeOfRun per run: node of the branches
/// @param flip as for numberNodes()
void writeTiles(BranchRuns& runs, const Buffer<std::uint32_t>& nodeOfRun, const NodeNumbers& numbers,
                std::uint16_t flip, ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

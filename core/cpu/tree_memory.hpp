#pragma once

#include "base/job_control.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/branch_tree.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Upper bound of the peak memory of buildComponentTree() in bytes for any image of the size, including the tree,
/// without the image.
[[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) noexcept;

/// Upper bound of the memory of buildTileTrees() for these pixels, from upper bounds of the nodes and of the regional
/// maxima (or minima) of all tiles, which are counted in one pass over the image. @throws Cancelled
[[nodiscard]] std::uint64_t countTileBytes(const Image& image, TreeKind kind, const JobControl& control);

/// Upper bound of the memory that collectNodes() takes in addition to @p runs.
[[nodiscard]] std::uint64_t bytesToCollect(const BranchRuns& runs) noexcept;
/// Upper bound of the memory that the numbering takes in addition to @p nodes and @p runs.
[[nodiscard]] std::uint64_t bytesToNumber(const BranchNodes& nodes, const BranchRuns& runs) noexcept;

/// Checks before a build that the memory of its tiles is available. Counts only if estimateTreeBytes() is not.
/// @throws Cancelled, Error(outOfMemory)
void requireTileMemory(const Image& image, TreeKind kind, const JobControl& control);

/// Checks before a later stage of the build that its memory is available. @throws Error(outOfMemory)
void requireStageMemory(const Extent& extent, std::uint64_t bytes);

/// Error for insufficient memory to build the tree of @p image.
[[nodiscard]] Error noMemoryFor(const Image& image);

} // namespace pollard::cpu

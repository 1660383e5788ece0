#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/border_forest.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"

#include <cuda_runtime_api.h>

namespace pollard::cuda {

/// Builds the tree of each tile as launchColumnTiles() does, and its border tree; columnSize must be zero. Queues one
/// kernel and returns the launch status.
template <class Level> cudaError_t launchBorderTiles(LevelView<Level> image, BoundaryRule rule, PixelLinks links,
                                                     BorderForest forest, cudaStream_t stream);

/// Writes the joined border trees to the links of the image. Queues one kernel and returns the launch status.
cudaError_t launchCommitBorder(BorderForest forest, PixelLinks links, cudaStream_t stream);

} // namespace pollard::cuda

#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/border_forest.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"

#include <cuda_runtime_api.h>

namespace pollard::cuda {

/// Tree of every tile as launchColumnTiles() makes it, and its border tree; columnSize must be zero before.
/// Queues one kernel and returns the launch status.
template <class Level> cudaError_t launchBorderTiles(LevelView<Level> image, BoundaryRule rule, PixelLinks links,
                                                     BorderForest forest, cudaStream_t stream);

/// Writes the joined border trees back into the links of the image.
cudaError_t launchCommitBorder(BorderForest forest, PixelLinks links, cudaStream_t stream);

} // namespace pollard::cuda

#pragma once

#include "maxtree/border_forest.hpp"
#include "maxtree/link_record.hpp"
#include "maxtree/seam.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Joins the trees on both sides of the seam's positions [first, first + count). Queues one kernel and returns the
/// launch status.
template <class Level> cudaError_t launchJoinSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                  std::uint64_t first, std::uint64_t count, PixelLinks links,
                                                  cudaStream_t stream);

/// The same in the border trees; only for horizontal seams without corners.
template <class Level> cudaError_t launchJoinBorderSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                        std::uint64_t first, std::uint64_t count, BorderForest forest,
                                                        cudaStream_t stream);

} // namespace pollard::cuda

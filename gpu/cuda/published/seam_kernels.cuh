#pragma once

#include "cuda/published/border_forest.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/seam.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Joins the trees on both sides of all positions of the seam, or of some if @p stop (see StopFlag) becomes nonzero.
/// Queues one kernel and returns the launch status.
template <class Level> cudaError_t launchJoinSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                  PixelLinks links, const volatile std::uint32_t* stop,
                                                  cudaStream_t stream);

/// The same for the border trees; only for horizontal seams without corners.
template <class Level> cudaError_t launchJoinBorderSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                        BorderForest forest, const volatile std::uint32_t* stop,
                                                        cudaStream_t stream);

} // namespace pollard::cuda

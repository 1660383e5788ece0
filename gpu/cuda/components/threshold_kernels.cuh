#pragma once

#include "cuda/components/device_mask.hpp"

#include <cuda_runtime_api.h>

namespace pollard::cuda {

/// Queues a ThresholdPass. Allocates nothing and does not wait.
cudaError_t launchThreshold(const MaskedLevels& levels, cudaStream_t stream);

} // namespace pollard::cuda

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Kernels of a filter besides the steps of filter_steps.hpp. Each launcher queues one kernel on @p stream and returns
// the launch status; it allocates nothing and does not wait.

namespace pollard::cuda {

/// sums[keys[i]] += values[i] for every i < count, modulo 2^32.
cudaError_t launchScatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count,
                             std::uint32_t* sums, cudaStream_t stream);

/// Lowers first[c] to the first pixel whose node has owner c + 1.
cudaError_t launchFirstPixels(const std::uint32_t* pixelNode, std::size_t pixels, const std::uint32_t* owner,
                              std::uint32_t* first, cudaStream_t stream);

} // namespace pollard::cuda

#pragma once

#include "cuda/tree/numbering_steps.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Writes the bit mask of the canonical pixels and the number of set bits in each word (see RankIndex). Queues one
/// kernel on @p stream and returns the launch status; allocates nothing and does not wait.
/// @param mask,counts wordsOf(pixels) elements
template <class T> cudaError_t launchMarkCanonical(const IsCanonical<T>& isCanonical, std::size_t pixels,
                                                   std::uint32_t* mask, std::uint32_t* counts, cudaStream_t stream);

/// Adds to counts[v] the number of pixels of node v. Queues one kernel and returns the launch status, as above.
cudaError_t launchCountPixels(const std::uint32_t* pixelNode, std::size_t pixels, std::uint32_t* counts,
                              cudaStream_t stream);

} // namespace pollard::cuda

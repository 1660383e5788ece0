#pragma once

#include "cuda/tree/numbering_steps.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Writes the bit mask of the canonical pixels and their number in every word of it (see RankIndex).
/// @param mask,counts wordsOf(pixels) elements
/// These queue one kernel on @p stream and return the launch status; nothing is allocated or waited for.
template <class T> cudaError_t launchMarkCanonical(const IsCanonical<T>& isCanonical, std::size_t pixels,
                                                   std::uint32_t* mask, std::uint32_t* counts, cudaStream_t stream);

/// Adds to counts[v] the number of pixels whose node is v.
cudaError_t launchCountPixels(const std::uint32_t* pixelNode, std::size_t pixels, std::uint32_t* counts,
                              cudaStream_t stream);

} // namespace pollard::cuda

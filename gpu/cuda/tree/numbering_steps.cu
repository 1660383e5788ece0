#include "cuda/tree/numbering_steps.hpp"

#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

template cudaError_t launchEach(const ListNodes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const LinkTour&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const MeasureSegment&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const JoinSegments&, std::size_t, cudaStream_t);
template cudaError_t launchMaximum(const NumberSegment&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const WriteNodes<std::uint8_t>&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const WriteNodes<std::uint16_t>&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchEach(const WritePixelNodes&, std::size_t, cudaStream_t);

} // namespace pollard::cuda

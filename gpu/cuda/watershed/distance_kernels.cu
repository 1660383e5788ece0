#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/watershed/distance_steps.hpp"

#include <cstdint>

namespace pollard::cuda {

template cudaError_t launchPass(const MeasureRows&, std::uint32_t, cudaStream_t);
template cudaError_t launchEach(const FindCoarse<std::uint16_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const FindBetween<std::uint16_t, true>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const FindCoarse<std::uint32_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const FindBetween<std::uint32_t, true>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const FindBetween<std::uint16_t, false>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const FindBetween<std::uint32_t, false>&, std::size_t, cudaStream_t);

} // namespace pollard::cuda

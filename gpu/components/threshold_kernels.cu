#include "components/ha4/pass_launch.cuh"
#include "components/threshold_pass.hpp"

namespace pollard::cuda {

template cudaError_t launchPass(const ThresholdPass<std::uint8_t>&, std::uint32_t, cudaStream_t);
template cudaError_t launchPass(const ThresholdPass<std::uint16_t>&, std::uint32_t, cudaStream_t);

} // namespace pollard::cuda

#include "tree/filter_steps.hpp"

#include "tree/device_loop.cuh"

namespace pollard::cuda {

template cudaError_t launchEach(const DecideNodes<std::uint16_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const DecideNodes<std::uint32_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const DecideNodes<std::int32_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const DecideNodes<std::uint64_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const DecideNodes<double>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const ReachOfFailures&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const KeepBeyondFailures&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const PlacesOfSuccess&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const KeepAroundSuccess&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const WriteLevels&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const WriteMask&, std::size_t, cudaStream_t);
template cudaError_t launchSum(const StartAtParents&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const IsChanged&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchAny(const JumpToKept&, std::size_t, const std::uint32_t*, std::uint32_t*, cudaStream_t);

} // namespace pollard::cuda

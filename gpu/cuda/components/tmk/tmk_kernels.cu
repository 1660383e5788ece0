#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/components/tmk/tmk.hpp"
#include "cuda/components/tmk/tree_passes.hpp"
#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

template cudaError_t launchPass(const tmk::MergeInBlock<kTmkNodes>&, std::uint32_t, cudaStream_t);
template cudaError_t launchEach(const tmk::MakeNodes<std::uint8_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::MakeNodes<std::uint16_t>&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::MergeRightNode&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::MergeRoots&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::CountNodes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::CompactNodes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::ReadCount&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const tmk::WriteInOrder&, std::size_t, cudaStream_t);

} // namespace pollard::cuda

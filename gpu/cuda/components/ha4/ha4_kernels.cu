#include "cuda/components/ha4/feature_passes.hpp"
#include "cuda/components/ha4/label_passes.hpp"
#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

#define POLLARD_INSTANTIATE(Word)                                                                                      \
    template cudaError_t launchPass(const ha4::StripPass<Word>&, std::uint32_t, cudaStream_t);                         \
    template cudaError_t launchPass(const ha4::MergePass<Word>&, std::uint32_t, cudaStream_t);                         \
    template cudaError_t launchPass(const ha4::MarkRootsPass<Word>&, std::uint32_t, cudaStream_t);                     \
    template cudaError_t launchPass(const ha4::FeaturesPass<Word>&, std::uint32_t, cudaStream_t);                      \
    template cudaError_t launchPass(const ha4::MomentsPass<Word>&, std::uint32_t, cudaStream_t);                       \
    template cudaError_t launchPass(const ha4::GreyPass<Word, std::uint8_t>&, std::uint32_t, cudaStream_t);            \
    template cudaError_t launchPass(const ha4::GreyPass<Word, std::uint16_t>&, std::uint32_t, cudaStream_t);           \
    template cudaError_t launchPass(const ha4::RelabelPass<Word>&, std::uint32_t, cudaStream_t);                       \
    template cudaError_t launchPass(const ha4::NumberPass<Word>&, std::uint32_t, cudaStream_t)
POLLARD_INSTANTIATE(std::uint32_t);
POLLARD_INSTANTIATE(std::uint64_t);
#undef POLLARD_INSTANTIATE

template cudaError_t launchEach(const ha4::WriteRecords&, std::size_t, cudaStream_t);
template cudaError_t launchSum(const ha4::CountBitsOf&, std::size_t, unsigned long long*, cudaStream_t);

} // namespace pollard::cuda

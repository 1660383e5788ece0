#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/bin_steps.hpp"

namespace pollard::cuda {

#define POLLARD_STEP(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);
#define POLLARD_BINS(...)                                                                                              \
    template cudaError_t launchMaximum(const RangeKey<__VA_ARGS__>&, std::size_t, unsigned long long*, cudaStream_t);  \
    POLLARD_STEP(BinOfNode<__VA_ARGS__>)

POLLARD_BINS(std::uint16_t)
POLLARD_BINS(std::uint32_t)
POLLARD_BINS(std::int32_t)
POLLARD_BINS(std::uint64_t)
POLLARD_BINS(double)
POLLARD_STEP(AddShares)
POLLARD_STEP(JoinLists<std::uint64_t>)
POLLARD_STEP(CountInPlane)
POLLARD_STEP(JoinLists<std::uint32_t>)

#undef POLLARD_BINS
#undef POLLARD_STEP

} // namespace pollard::cuda

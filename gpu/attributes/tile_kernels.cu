#include "attributes/measure_kernels.cuh"

namespace pollard::cuda {

namespace {

template <class Terms> __global__ void __launch_bounds__(TileSums<Terms>::kThreads)
    tileSumsKernel(TileSums<Terms> sums) {
    __shared__ typename TileSums<Terms>::Memory memory;
    sums(memory);
}

} // namespace

template <class Terms>
cudaError_t launchTileSums(const TileSums<Terms>& sums, std::uint32_t tiles, cudaStream_t stream) {
    tileSumsKernel<<<tiles, TileSums<Terms>::kThreads, 0, stream>>>(sums);
    return cudaGetLastError();
}

#define POLLARD_TERMS(...)                                                                                             \
    template cudaError_t launchTileSums(const TileSums<__VA_ARGS__>&, std::uint32_t, cudaStream_t);

POLLARD_TERMS(MomentTerms)
POLLARD_TERMS(ThirdMomentTerms<NarrowRecords>)
POLLARD_TERMS(ThirdMomentTerms<WideRecords>)
POLLARD_TERMS(OutlineTerms)
POLLARD_TERMS(BoxTerms)

#undef POLLARD_TERMS

} // namespace pollard::cuda

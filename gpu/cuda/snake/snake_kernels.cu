#include "cuda/snake/snake_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/snake/evolve_independent.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/seed_passes.hpp"
#include "cuda/snake/snake_evolution.hpp"

namespace pollard::cuda {

namespace {

/// One block per multiprocessor, so that threads get all registers they need. The pass is read from parameter memory,
/// without a copy per thread.
template <class Pass> __global__ void __launch_bounds__(kMostSnakeThreads, 1)
    snakeKernel(const __grid_constant__ Pass pass) {
    extern __shared__ __align__(16) std::uint32_t memory[];
    pass(memory);
}

/// Runs a pass with fewer registers per thread, if it gains from several blocks per multiprocessor.
template <class Pass> __global__ void __launch_bounds__(kMostSnakeThreads, kDenseBlocks)
    denseSnakeKernel(const __grid_constant__ Pass pass) {
    extern __shared__ __align__(16) std::uint32_t memory[];
    pass(memory);
}

template <class Pass> [[nodiscard]] const void* kernelOf(const Pass& pass) {
    if constexpr (requires { pass.isDense; }) {
        if (pass.isDense) {
            return reinterpret_cast<const void*>(&denseSnakeKernel<Pass>);
        }
    }
    return reinterpret_cast<const void*>(&snakeKernel<Pass>);
}

/// More than 48 KiB of shared memory per block need an opt-in.
cudaError_t allowShared(const void* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

} // namespace

template <class Pass>
cudaError_t launchSnakePass(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Pass>);
    if (count == 0) {
        return cudaSuccess;
    }
    Pass copy = pass;
    void* arguments[] = {&copy};
    if (const cudaError_t status = allowShared(kernelOf(pass), sharedBytes); status != cudaSuccess) {
        return status;
    }
    return cudaLaunchKernel(kernelOf(pass), dim3(count), dim3(pass.state.threads), arguments, sharedBytes, stream);
}

template <class Pass> cudaError_t launchSnakeTeam(const Pass& pass, std::size_t sharedBytes, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Pass>);
    Pass copy = pass;
    void* arguments[] = {&copy};
    if (const cudaError_t status = allowShared(kernelOf(pass), sharedBytes); status != cudaSuccess) {
        return status;
    }
    return cudaLaunchCooperativeKernel(kernelOf(pass), dim3(pass.blocks), dim3(pass.state.threads), arguments,
                                       sharedBytes, stream);
}

template <class Pass> cudaError_t blocksOfMultiprocessor(const Pass& pass, std::size_t sharedBytes, int& blocks) {
    if (const cudaError_t status = allowShared(kernelOf(pass), sharedBytes); status != cudaSuccess) {
        return status;
    }
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernelOf(pass), static_cast<int>(pass.state.threads),
                                                         sharedBytes);
}

#define POLLARD_INSTANTIATE_PASS(...)                                                                                  \
    template cudaError_t launchSnakePass(const __VA_ARGS__&, std::uint32_t, std::size_t, cudaStream_t)
#define POLLARD_INSTANTIATE(Pixel)                                                                                     \
    POLLARD_INSTANTIATE_PASS(SumRows<PrefixImage<Pixel, 1>>);                                                          \
    POLLARD_INSTANTIATE_PASS(SumRows<PrefixImage<Pixel, 8>>);                                                          \
    POLLARD_INSTANTIATE_PASS(SumParts<PrefixImage<Pixel, 8>>);                                                         \
    POLLARD_INSTANTIATE_PASS(EvolveIndependent<PrefixImage<Pixel, 8>>);                                                \
    POLLARD_INSTANTIATE_PASS(MeasureSegments<PrefixImage<Pixel, 1>>);                                                  \
    POLLARD_INSTANTIATE_PASS(EvaluateMoves<PrefixImage<Pixel, 1>>);                                                    \
    POLLARD_INSTANTIATE_PASS(MoveClass<PrefixImage<Pixel, 1>>);                                                        \
    POLLARD_INSTANTIATE_PASS(WriteNewContour<PrefixImage<Pixel, 1>>);                                                  \
    template cudaError_t launchSnakeTeam(const EvolveSnake<PrefixImage<Pixel, 8>>&, std::size_t, cudaStream_t);        \
    template cudaError_t blocksOfMultiprocessor(const EvolveSnake<PrefixImage<Pixel, 8>>&, std::size_t, int&);         \
    template cudaError_t blocksOfMultiprocessor(const EvolveIndependent<PrefixImage<Pixel, 8>>&, std::size_t, int&)
POLLARD_INSTANTIATE(std::uint8_t);
POLLARD_INSTANTIATE(std::uint16_t);
#undef POLLARD_INSTANTIATE
#undef POLLARD_INSTANTIATE_PASS

template cudaError_t launchEach(const SumSegments&, std::size_t, cudaStream_t);

} // namespace pollard::cuda

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

// A multiple of the warp that fills a multiprocessor of every supported GPU; the steps are bound by memory.
inline constexpr unsigned kLoopBlock = 256;

// Blocks of a reduction: enough for every GPU to be full, few enough for their atomics on one word not to queue up.
inline constexpr unsigned kMostReducingBlocks = 8192;

// Most blocks of a loop whose count only the device knows: enough for every GPU to be full, but few that start idle.
inline constexpr unsigned kMostCountedBlocks = 2048;

/// Number of blocks for one thread an index; below 2^31 for any image and twice as many elements.
[[nodiscard]] constexpr unsigned loopBlocks(std::size_t count) noexcept {
    return static_cast<unsigned>((count + kLoopBlock - 1) / kLoopBlock);
}

/// Queues step(i) for every i < count, in any order. Step is trivially copyable, with a device operator()(std::size_t).
/// As all launchers here, it allocates nothing and does not wait. cuda_measures.cu and node_filter.cu instantiate the
/// launchers for themselves, the kernels' sources (pixel_counts.cu, branch_kernels.cu ...) for other sources.
template <class Step> cudaError_t launchEach(const Step& step, std::size_t count, cudaStream_t stream);

/// Queues step(i) for every i < *count, a number in device memory that is at most @p most.
template <class Step>
cudaError_t launchEachOf(const Step& step, const std::uint32_t* count, std::uint32_t most, cudaStream_t stream);

/// Queues step(i) for every i < count, and adds the results (std::uint32_t) to *sum.
template <class Step>
cudaError_t launchSum(const Step& step, std::size_t count, unsigned long long* sum, cudaStream_t stream);

/// Queues step(i) for every i < count, and raises *maximum to the largest result.
template <class Step>
cudaError_t launchMaximum(const Step& step, std::size_t count, unsigned long long* maximum, cudaStream_t stream);

} // namespace pollard::cuda

#ifdef __CUDACC__

namespace pollard::cuda {

namespace loop {

struct Add {
    __device__ static unsigned long long join(unsigned long long a, unsigned long long b) { return a + b; }
    __device__ static void commit(unsigned long long* to, unsigned long long value) { atomicAdd(to, value); }
};

struct Max {
    __device__ static unsigned long long join(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
    __device__ static void commit(unsigned long long* to, unsigned long long value) { atomicMax(to, value); }
};

[[nodiscard]] __device__ inline std::size_t index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class Step> __global__ void eachKernel(Step step, std::size_t count) {
    const std::size_t i = index();
    if (i < count) {
        step(i);
    }
}

template <class Step> __global__ void eachOfKernel(Step step, const std::uint32_t* count) {
    const std::size_t end = *count;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = index(); i < end; i += stride) {
        step(i);
    }
}

/// Joins the results of a block before one thread passes them on; 0 is neutral.
template <class Join, class Step> __global__ void reduceKernel(Step step, std::size_t count, unsigned long long* to) {
    __shared__ unsigned long long ofWarp[kLoopBlock / 32];
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long value = 0;
    for (std::size_t i = index(); i < count; i += stride) {
        value = Join::join(value, step(i));
    }
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        value = Join::join(value, __shfl_xor_sync(0xffffffffU, value, static_cast<int>(distance)));
    }
    if (threadIdx.x % 32 == 0) {
        ofWarp[threadIdx.x / 32] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < kLoopBlock / 32; ++warp) {
            value = Join::join(value, ofWarp[warp]);
        }
        if (value != 0) {
            Join::commit(to, value);
        }
    }
}

[[nodiscard]] inline unsigned reducingBlocks(std::size_t count) {
    return loopBlocks(count) < kMostReducingBlocks ? loopBlocks(count) : kMostReducingBlocks;
}

} // namespace loop

template <class Step> cudaError_t launchEach(const Step& step, std::size_t count, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Step>);
    if (count == 0) {
        return cudaSuccess;
    }
    loop::eachKernel<<<loopBlocks(count), kLoopBlock, 0, stream>>>(step, count);
    return cudaGetLastError();
}

template <class Step>
cudaError_t launchEachOf(const Step& step, const std::uint32_t* count, std::uint32_t most, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Step>);
    if (most == 0) {
        return cudaSuccess;
    }
    const unsigned blocks = loopBlocks(most) < kMostCountedBlocks ? loopBlocks(most) : kMostCountedBlocks;
    loop::eachOfKernel<<<blocks, kLoopBlock, 0, stream>>>(step, count);
    return cudaGetLastError();
}

template <class Step>
cudaError_t launchSum(const Step& step, std::size_t count, unsigned long long* sum, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Step>);
    if (count == 0) {
        return cudaSuccess;
    }
    loop::reduceKernel<loop::Add><<<loop::reducingBlocks(count), kLoopBlock, 0, stream>>>(step, count, sum);
    return cudaGetLastError();
}

template <class Step>
cudaError_t launchMaximum(const Step& step, std::size_t count, unsigned long long* maximum, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Step>);
    if (count == 0) {
        return cudaSuccess;
    }
    loop::reduceKernel<loop::Max><<<loop::reducingBlocks(count), kLoopBlock, 0, stream>>>(step, count, maximum);
    return cudaGetLastError();
}

} // namespace pollard::cuda

#endif

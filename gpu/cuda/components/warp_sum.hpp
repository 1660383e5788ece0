#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

// Reductions over a warp. Called by all 32 threads; each gets the result.

namespace pollard::cuda {

#ifdef __CUDACC__

namespace warp {

template <class Join> [[nodiscard]] __device__ inline std::uint32_t joined(std::uint32_t value, const Join& join) {
    namespace cg = cooperative_groups;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), value, join);
}

} // namespace warp

[[nodiscard]] __device__ inline std::uint32_t sumOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::plus<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t leastOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::less<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t mostOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::greater<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t bitsOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::bit_or<std::uint32_t>());
}

#else

namespace warp {

template <class Join>
[[nodiscard]] inline std::uint32_t joined(std::uint32_t value, std::uint32_t result, int line, const Join& join) {
    for (const std::uint64_t given : emulation::Emulator::running()->meetWarp(value, line)) {
        result = join(result, static_cast<std::uint32_t>(given));
    }
    return result;
}

} // namespace warp

[[nodiscard]] inline std::uint32_t sumOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, 0, line, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
[[nodiscard]] inline std::uint32_t leastOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, value, line, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
}
[[nodiscard]] inline std::uint32_t mostOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, value, line, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
}
[[nodiscard]] inline std::uint32_t bitsOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, 0, line, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}

#endif

} // namespace pollard::cuda

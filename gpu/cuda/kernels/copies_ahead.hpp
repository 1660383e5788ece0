#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#ifdef __CUDACC__
#include <cuda_pipeline.h>
#else
#include <cstring>
#endif

// Asynchronous copies from global to shared memory: a thread starts many and waits for them later, and the data need
// no registers.

namespace pollard::cuda {

/// Begins to copy. @tparam bytes 4 or 8, to which both are aligned
template <std::size_t bytes> POLLARD_DEVICE inline void copyAhead(void* shared, const void* global) {
    static_assert(bytes == 4 || bytes == 8);
#ifdef __CUDACC__
    __pipeline_memcpy_async(shared, global, bytes);
#else
    std::memcpy(shared, global, bytes);
#endif
}

/// Waits for the copies that this thread began; other threads see them after meetThreads().
POLLARD_DEVICE inline void awaitCopies() {
#ifdef __CUDACC__
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}

} // namespace pollard::cuda

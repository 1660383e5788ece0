#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Queues a pass of the algorithm "strips" in @p count blocks of pass.state.threads threads with dynamic shared memory.
/// Loops are launched by launchEach() of kernels/device_loop.cuh. Allocates nothing and does not wait.
template <class Pass>
cudaError_t launchBlocks(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// The same in blocks that can wait for each other, as one cluster or one cooperative grid according to
/// Pass::kTogether; all of its blocks must be resident at once.
template <class Pass>
cudaError_t launchTogether(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// Largest number of blocks of a cluster with @p threads threads and @p sharedBytes of shared memory each; 0 if the
/// device or the compiled code has no clusters.
[[nodiscard]] std::uint32_t mostInCluster(std::uint32_t threads, std::size_t sharedBytes);

} // namespace pollard::cuda

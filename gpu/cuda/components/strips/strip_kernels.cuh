#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Queues a pass of the algorithm "strips" in @p count blocks of pass.state.threads threads with so much shared memory.
/// Its loops are launched by launchEach() of tree/device_loop.cuh. Nothing is allocated or waited for.
template <class Pass>
cudaError_t launchBlocks(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// The same in blocks that wait for each other as Pass::kTogether says: as one cluster, or as a cooperative grid, whose
/// blocks must all have room on the device at once.
template <class Pass>
cudaError_t launchTogether(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// How many blocks may be one cluster, each with so many threads and so much shared memory; 0 if the device or the
/// code that it runs has no clusters.
[[nodiscard]] std::uint32_t mostInCluster(std::uint32_t threads, std::size_t sharedBytes);

} // namespace pollard::cuda

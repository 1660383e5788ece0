#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Queues a pass of the algorithm "strips" in @p count blocks of pass.state.threads threads with so much shared memory.
/// Its loops are launched by launchEach() of tree/device_loop.cuh. Nothing is allocated or waited for.
template <class Pass>
cudaError_t launchBlocks(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// The same as a cooperative launch: all blocks must have room on the device at once.
template <class Pass>
cudaError_t launchTogether(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

} // namespace pollard::cuda

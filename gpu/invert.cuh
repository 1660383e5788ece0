#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Pixels of an image in device memory, row after row.
template <class T> struct PixelView {
    T* data;
    std::size_t size;
};
static_assert(std::is_trivially_copyable_v<PixelView<std::uint16_t>>);

/// Reverses the order of grey levels in place (see invertedLevel). Queues one kernel on @p stream and returns the
/// launch status; nothing is allocated or waited for. O(size).
cudaError_t launchInvert(PixelView<std::uint8_t> pixels, cudaStream_t stream);
cudaError_t launchInvert(PixelView<std::uint16_t> pixels, cudaStream_t stream);

/// Whether the current device can run the kernel: cudaSuccess, cudaErrorNoKernelImageForDevice, ...
cudaError_t invertAvailability();

} // namespace pollard::cuda

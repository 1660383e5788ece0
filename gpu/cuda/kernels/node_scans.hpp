#pragma once

#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

// Scans and sorts that allocate their scratch memory. They wait for nothing.

namespace pollard::cuda {

/// Runs @p run twice: to query its scratch size, and with the memory.
template <class Run>
void runWithScratch(const std::shared_ptr<DeviceMemory>& memory, const char* operation, const Run& run) {
    std::size_t bytes = 0;
    check(run(nullptr, bytes), operation);
    DeviceBuffer<std::byte> scratch(memory, bytes > 0 ? bytes : 1, operation);
    check(run(scratch.data(), bytes), operation);
}

/// Sorts pairs by the lower @p bits of their keys; equal keys keep their order. Takes as much memory again.
/// @throws Error(outOfMemory), Error(deviceFailed)
void sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits,
               const std::shared_ptr<DeviceMemory>& memory);

/// Upper bound of the bytes that these take beside their data, for @p count elements; without the sort's second copy
/// of keys and values.
[[nodiscard]] constexpr std::uint64_t scratchBytes(std::uint64_t count) noexcept {
    return count / 2 + (std::uint64_t{1} << 20);
}

} // namespace pollard::cuda

#pragma once

#include "cuda/device/cuda_stream.hpp"
#include "cuda/device/stop_flag.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace pollard::cuda {

/// Device memory of one session, allocated and freed in the order of the work on the session's stream, so that neither
/// call waits. Uses a memory pool of its own (cudaMalloc where pools are unsupported), which keeps freed memory until
/// the session ends. Owners of memory share ownership of this object, see DeviceBuffer.
class DeviceMemory {
public:
    /// @throws Error(deviceFailed)
    [[nodiscard]] static std::shared_ptr<DeviceMemory> create();

    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// The stream on which all work of the session is queued.
    [[nodiscard]] cudaStream_t stream() const noexcept { return stream_.get(); }
    /// Stop flag of the kernels on stream().
    [[nodiscard]] StopFlag& stopFlag() noexcept { return stopFlag_; }

    /// Allocates uninitialised memory for work queued on stream(), aligned to at least 256 bytes. Thread-safe.
    /// @param what name of the buffer for the error message: "tile trees"
    /// @throws Error(outOfMemory) naming @p what, the size and the free memory; Error(deviceFailed)
    [[nodiscard]] void* allocate(std::size_t bytes, const char* what);

    /// Frees memory once the work queued on stream() is done. Null is ignored. Thread-safe.
    void free(void* memory) noexcept;

    /// Bytes that allocate() can still return: free on the device plus unused in the pool.
    /// @throws Error(deviceFailed)
    [[nodiscard]] std::uint64_t available() const;
    /// Whether @p bytes can be allocated; queries the device only if the pool has less unused.
    /// @throws Error(deviceFailed)
    [[nodiscard]] bool has(std::uint64_t bytes) const;

    /// Bytes allocated and not freed, each block rounded up to kGranularity.
    [[nodiscard]] std::uint64_t usedBytes() const noexcept;
    /// Largest usedBytes() since the start or the last resetPeak().
    [[nodiscard]] std::uint64_t peakBytes() const noexcept;
    void resetPeak() noexcept;

    /// Sizes of blocks are rounded up to a multiple of this, bytes; estimates add it once per block.
    static constexpr std::size_t kGranularity = 512;

private:
    DeviceMemory();

    /// A freed block, reused for an allocation of the same size without a call to the driver.
    struct Kept {
        void* memory;
        std::size_t bytes;
    };

    [[nodiscard]] cudaError_t take(void** memory, std::size_t bytes) const noexcept;
    [[nodiscard]] void* takeKept(std::size_t bytes) noexcept;
    [[nodiscard]] bool keep(void* memory, std::size_t bytes) noexcept;
    void releaseKept() noexcept;
    void give(void* memory) const noexcept;
    [[nodiscard]] std::uint64_t unusedInPool() const;

    Stream stream_;
    StopFlag stopFlag_;
    cudaMemPool_t pool_ = nullptr; ///< null: cudaMalloc is used
    mutable std::mutex mutex_;
    std::unordered_map<void*, std::size_t> blocks_; ///< size of each allocated block, bytes
    std::vector<Kept> kept_;                        ///< oldest first
    std::uint64_t keptBytes_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
};

/// Bytes that DeviceMemory counts for a block of @p count elements of T.
template <class T> [[nodiscard]] constexpr std::uint64_t blockBytes(std::uint64_t count) noexcept {
    constexpr std::uint64_t kStep = DeviceMemory::kGranularity;
    return (count * sizeof(T) + kStep - 1) / kStep * kStep;
}

} // namespace pollard::cuda

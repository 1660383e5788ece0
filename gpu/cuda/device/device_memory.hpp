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

/// Device memory of one session, handed out and taken back in the order of the work on the session's stream, so that
/// neither waits. It comes from a memory pool of its own (from the device directly where pools are unsupported) and is
/// kept there until the session ends. Whoever holds memory shares the ownership of this, see DeviceBuffer.
class DeviceMemory {
public:
    /// @throws Error(deviceFailed)
    [[nodiscard]] static std::shared_ptr<DeviceMemory> create();

    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// The stream on which all work of the session is queued.
    [[nodiscard]] cudaStream_t stream() const noexcept { return stream_.get(); }
    /// For kernels of that stream.
    [[nodiscard]] StopFlag& stopFlag() noexcept { return stopFlag_; }

    /// Uninitialised memory that work queued on stream() may use; aligned to 256 bytes at least. Thread-safe.
    /// @param what for the message: "tile trees"
    /// @throws Error(outOfMemory) naming @p what, the size and what is free; Error(deviceFailed)
    [[nodiscard]] void* allocate(std::size_t bytes, const char* what);

    /// Takes memory back after the work queued so far on stream(). Null is ignored. Thread-safe.
    void free(void* memory) noexcept;

    /// What can still be handed out: free on the device plus unused in the pool, bytes.
    /// @throws Error(deviceFailed)
    [[nodiscard]] std::uint64_t available() const;
    /// Whether so much can be handed out; the device is asked only where the pool has less.
    /// @throws Error(deviceFailed)
    [[nodiscard]] bool has(std::uint64_t bytes) const;

    /// Handed out at present, bytes, each block rounded up to kGranularity.
    [[nodiscard]] std::uint64_t usedBytes() const noexcept;
    /// Largest usedBytes() since the start or the last resetPeak().
    [[nodiscard]] std::uint64_t peakBytes() const noexcept;
    void resetPeak() noexcept;

    /// Blocks take a multiple of this, bytes: estimates add it once a block.
    static constexpr std::size_t kGranularity = 512;

private:
    DeviceMemory();

    /// What was given back and waits to be handed out again in the same size, which costs no call of the driver.
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
    cudaMemPool_t pool_ = nullptr; ///< null: cudaMalloc
    mutable std::mutex mutex_;
    std::unordered_map<void*, std::size_t> blocks_; ///< bytes of each block handed out
    std::vector<Kept> kept_;                        ///< the oldest first
    std::uint64_t keptBytes_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
};

/// Bytes of a block of @p count elements of T as DeviceMemory accounts for it.
template <class T> [[nodiscard]] constexpr std::uint64_t blockBytes(std::uint64_t count) noexcept {
    constexpr std::uint64_t kStep = DeviceMemory::kGranularity;
    return (count * sizeof(T) + kStep - 1) / kStep * kStep;
}

} // namespace pollard::cuda

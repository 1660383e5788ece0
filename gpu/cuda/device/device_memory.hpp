#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Allocates page-locked host memory that the device can access. Slow: keep and reuse it.
/// @param what name of the buffer for the error message: "staging"
/// @throws Error(outOfMemory), Error(deviceFailed)
[[nodiscard]] void* allocatePinned(std::size_t bytes, const char* what);
void freePinned(void* memory) noexcept;

/// Move-only array in pinned host memory, uninitialised. Queued work that uses it must be done before it is destroyed.
template <class T> class PinnedBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PinnedBuffer() = default;

    /// @throws Error(outOfMemory), Error(deviceFailed)
    PinnedBuffer(std::size_t count, const char* what)
        : data_(static_cast<T*>(allocatePinned(count * sizeof(T), what))), size_(count) {}

    ~PinnedBuffer() { freePinned(data_); }
    PinnedBuffer(PinnedBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Asks long kernels to end early. Lies in pinned host memory: each read by a kernel crosses the bus, so kernels poll
/// it rarely.
class StopFlag {
public:
    /// @throws Error(outOfMemory), Error(deviceFailed)
    StopFlag() : flag_(1, "the stop flag") { lower(); }

    void raise() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 1; }
    void lower() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 0; }
    /// Nonzero: stop. Device-accessible.
    [[nodiscard]] const volatile std::uint32_t* view() const noexcept { return flag_.data(); }

private:
    PinnedBuffer<std::uint32_t> flag_;
};

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
    struct FreedBlock {
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
    std::vector<FreedBlock> kept_;                  ///< oldest first
    std::uint64_t keptBytes_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
};

/// Bytes that DeviceMemory counts for a block of @p count elements of T.
template <class T> [[nodiscard]] constexpr std::uint64_t blockBytes(std::uint64_t count) noexcept {
    constexpr std::uint64_t kStep = DeviceMemory::kGranularity;
    return (count * sizeof(T) + kStep - 1) / kStep * kStep;
}

/// Waits for the work queued on the memory's stream. A stop request raises the memory's StopFlag, so that long kernels
/// end early, and the queued work is still waited for, because its memory belongs to the caller; its results are then
/// undefined.
/// @throws Error(deviceFailed) naming @p operation if the work failed; Cancelled
void waitFor(DeviceMemory& memory, const JobControl& control, const std::string& operation);

/// Move-only array in device memory, uninitialised. Shares ownership of the DeviceMemory it is allocated from.
template <class T> class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    DeviceBuffer() = default;

    /// @param what name of the buffer for the error message: "tile trees"
    /// @throws Error(outOfMemory) if the device has too little free memory, Error(deviceFailed)
    DeviceBuffer(std::shared_ptr<DeviceMemory> memory, std::size_t count, const char* what)
        : data_(static_cast<T*>(memory->allocate(count * sizeof(T), what))), size_(count), memory_(std::move(memory)) {}

    ~DeviceBuffer() { reset(); }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          memory_(std::move(other.memory_)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        if (this != &other) {
            reset();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
            memory_ = std::move(other.memory_);
        }
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Frees the memory once the work queued on the stream is done.
    void reset() noexcept {
        if (data_ != nullptr) {
            memory_->free(data_);
        }
        data_ = nullptr;
        size_ = 0;
        memory_.reset();
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::shared_ptr<DeviceMemory> memory_;
};

} // namespace pollard::cuda

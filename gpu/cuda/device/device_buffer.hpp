#pragma once

#include "cuda/device/device_memory.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pollard::cuda {

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

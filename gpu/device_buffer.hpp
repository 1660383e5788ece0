#pragma once

#include "cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace pollard::cuda {

/// Move-only array in device memory whose elements start uninitialised.
template <class T> class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    DeviceBuffer() = default;

    /// @throws Error(outOfMemory) if the device has not got the memory, Error(deviceFailed)
    explicit DeviceBuffer(std::size_t size) : size_(size) {
        if (size > 0) {
            void* memory = nullptr;
            check(cudaMalloc(&memory, size * sizeof(T)), "get " + std::to_string(size * sizeof(T)) + " bytes");
            data_ = static_cast<T*>(memory);
        }
    }
    ~DeviceBuffer() { cudaFree(data_); }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace pollard::cuda

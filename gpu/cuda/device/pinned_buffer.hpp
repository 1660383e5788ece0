#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

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

} // namespace pollard::cuda

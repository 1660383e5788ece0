#pragma once

#include "cuda/boruvka/emulated_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace pollard::cuda::emulation {

/// Array in the memory of the emulated device, filled with noise. Its memory may be reused for values of another type.
/// Fails the test if a kernel writes beyond its end.
template <class T> class HostBuffer {
public:
    HostBuffer() = default;
    HostBuffer(std::size_t count, Random& random)
        : bytes_(static_cast<unsigned char*>(::operator new(count * sizeof(T) + kGuard))), size_(count) {
        std::memset(bytes_.get(), static_cast<int>(random.below(256)), count * sizeof(T));
        std::memset(guard(), kGuardByte, kGuard);
    }
    ~HostBuffer() { reset(); }
    HostBuffer(HostBuffer&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
    HostBuffer& operator=(HostBuffer&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;

    [[nodiscard]] T* data() noexcept { return static_cast<T*>(static_cast<void*>(bytes_.get())); }
    [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(static_cast<void*>(bytes_.get())); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void reset() noexcept {
        if (bytes_ != nullptr) {
            EXPECT_EQ(std::count(guard(), guard() + kGuard, kGuardByte), static_cast<std::ptrdiff_t>(kGuard))
                << "written beyond the end of " << size_ << " elements of " << sizeof(T) << " bytes";
        }
        bytes_.reset();
        size_ = 0;
    }

private:
    static constexpr std::size_t kGuard = 128;
    static constexpr unsigned char kGuardByte = 0xb7;
    struct Free {
        void operator()(unsigned char* bytes) const noexcept { ::operator delete(bytes); }
    };

    [[nodiscard]] unsigned char* guard() const noexcept { return bytes_.get() + size_ * sizeof(T); }

    std::unique_ptr<unsigned char, Free> bytes_;
    std::size_t size_ = 0;
};

using EmulatedMachine = BasicEmulatedMachine<HostBuffer>;

} // namespace pollard::cuda::emulation

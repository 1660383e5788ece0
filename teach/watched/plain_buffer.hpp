#pragma once

#include "cuda/emulation/schedule.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace pollard::teach {

/// Array in the memory of an emulated device. Zeroed, so that traces are reproducible.
template <class T> class PlainBuffer {
public:
    PlainBuffer() = default;
    PlainBuffer(std::size_t count, cuda::emulation::Random&)
        : words_(std::make_unique<std::max_align_t[]>(count * sizeof(T) / sizeof(std::max_align_t) + 1)), size_(count) {
    }
    PlainBuffer(PlainBuffer&& other) noexcept : words_(std::move(other.words_)), size_(std::exchange(other.size_, 0)) {}
    PlainBuffer& operator=(PlainBuffer&& other) noexcept {
        std::swap(words_, other.words_);
        std::swap(size_, other.size_);
        return *this;
    }
    PlainBuffer(const PlainBuffer&) = delete;
    PlainBuffer& operator=(const PlainBuffer&) = delete;
    ~PlainBuffer() = default;

    [[nodiscard]] T* data() noexcept { return static_cast<T*>(static_cast<void*>(words_.get())); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void reset() noexcept {
        words_.reset();
        size_ = 0;
    }

private:
    std::unique_ptr<std::max_align_t[]> words_;
    std::size_t size_ = 0;
};

} // namespace pollard::teach

#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace pollard {

/// Uninitialised memory; free it with freeBytes() and the same size. Blocks of 4 MiB and more are mapped directly,
/// returned to the system when freed, and advised to use huge pages, because walks over a tree miss the TLB at nearly
/// every step.
/// @throws std::bad_alloc
[[nodiscard]] void* allocateBytes(std::size_t bytes);
void freeBytes(void* block, std::size_t bytes) noexcept;

/// Move-only array of trivially copyable values whose elements start uninitialised. Used for arrays with one value per
/// pixel or node: a zero-filling container would touch every page on one thread before parallel code writes it.
template <class T> class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;

    /// @throws std::bad_alloc
    explicit Buffer(std::size_t size) : data_(allocate(size)), size_(size) {}

    /// Values in memory of another owner, which must outlive the buffer.
    [[nodiscard]] static Buffer over(std::span<T> values) noexcept {
        Buffer buffer;
        buffer.data_ = Pointer(values.data(), Deleter{});
        buffer.size_ = values.size();
        return buffer;
    }

    Buffer(Buffer&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() = default;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* data() noexcept { return data_.get(); }
    [[nodiscard]] const T* data() const noexcept { return data_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] std::span<T> span() noexcept { return {data_.get(), size_}; }
    [[nodiscard]] std::span<const T> span() const noexcept { return {data_.get(), size_}; }
    [[nodiscard]] T* begin() noexcept { return data_.get(); }
    [[nodiscard]] T* end() noexcept { return data_.get() + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data_.get(); }
    [[nodiscard]] const T* end() const noexcept { return data_.get() + size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

    /// Frees the memory.
    void reset() noexcept {
        data_.reset();
        size_ = 0;
    }

private:
    struct Deleter {
        std::size_t size = 0; ///< 0: the memory has another owner
        void operator()(T* p) const noexcept {
            if (size != 0) {
                freeBytes(p, size * sizeof(T));
            }
        }
    };
    using Pointer = std::unique_ptr<T[], Deleter>;

    static Pointer allocate(std::size_t size) {
        if (size == 0) {
            return {};
        }
        if (size > static_cast<std::size_t>(-1) / 2 / sizeof(T)) {
            throw std::bad_alloc();
        }
        return Pointer(static_cast<T*>(allocateBytes(size * sizeof(T))), Deleter{size});
    }

    Pointer data_;
    std::size_t size_ = 0;
};

/// Keeps large blocks that freeBytes() frees for the next allocateBytes(), as long as the reserve exists. The system
/// clears every page that it hands out, which takes up to a fifth of the time of a job that builds one tree after
/// another. Limits of several reserves add up. The blocks return to the system if memory is short.
class BlockReserve {
public:
    explicit BlockReserve(std::size_t bytes);
    BlockReserve(const BlockReserve&) = delete;
    BlockReserve& operator=(const BlockReserve&) = delete;
    ~BlockReserve();

private:
    std::size_t bytes_;
};

} // namespace pollard

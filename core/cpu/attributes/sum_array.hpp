#pragma once

#include "base/buffer.hpp"
#include "base/wide_integer.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cpu {

/// One sum per node; its memory is reused for one double per node, because fresh memory costs more than the arithmetic.
/// T is std::uint64_t, or UInt128 if that is too narrow.
template <class T> class SumArray;

template <> class SumArray<std::uint64_t> {
public:
    SumArray() = default;
    explicit SumArray(std::size_t size) : memory_(size) {}

    [[nodiscard]] bool empty() const noexcept { return memory_.empty(); }
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const noexcept {
        return std::bit_cast<std::uint64_t>(memory_[i]);
    }
    void set(std::size_t i, std::uint64_t sum) noexcept { memory_[i] = std::bit_cast<double>(sum); }
    void add(std::size_t i, std::uint64_t term) noexcept { set(i, (*this)[i] + term); }

    /// Must precede the first setResult().
    void prepareResults() noexcept {}
    /// Replaces the sum.
    void setResult(std::size_t i, double result) noexcept { memory_[i] = result; }
    /// The results.
    [[nodiscard]] Buffer<double> release() noexcept { return std::move(memory_); }

private:
    Buffer<double> memory_;
};

/// Sums are twice as wide as a double, so results have separate memory.
template <> class SumArray<UInt128> {
public:
    SumArray() = default;
    explicit SumArray(std::size_t size) : sums_(size) {}

    [[nodiscard]] bool empty() const noexcept { return sums_.empty(); }
    [[nodiscard]] UInt128 operator[](std::size_t i) const noexcept { return sums_[i]; }
    void set(std::size_t i, UInt128 sum) noexcept { sums_[i] = sum; }
    void add(std::size_t i, UInt128 term) noexcept { sums_[i] += term; }

    void prepareResults() { results_ = Buffer<double>(sums_.size()); }
    void setResult(std::size_t i, double result) noexcept { results_[i] = result; }
    [[nodiscard]] Buffer<double> release() noexcept {
        sums_.reset();
        return std::move(results_);
    }

private:
    Buffer<UInt128> sums_;
    Buffer<double> results_;
};

} // namespace pollard::cpu

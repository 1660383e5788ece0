#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

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

// Moments of components for formulas.hpp. O(pixels + nodes), parallel.

namespace pollard::cpu {

/// MomentSums of every component, as arrays of x, y, xx, xy, yy.
template <class T> struct SumArrays {
    std::array<SumArray<T>, 5> of;

    [[nodiscard]] MomentSums<T> at(std::size_t i) const noexcept {
        return {of[0][i], of[1][i], of[2][i], of[3][i], of[4][i]};
    }
};

/// Sums with the bits that the image needs, the source of centroids and moments of both orders.
using NodeSums = std::variant<SumArrays<std::uint64_t>, SumArrays<UInt128>>;

[[nodiscard]] inline bool isEmpty(const NodeSums& sums) noexcept {
    return std::visit([](const auto& arrays) { return arrays.of[0].empty(); }, sums);
}

/// SecondMoments of every component.
struct NodeMoments {
    Buffer<double> sum, difference, mixed, smaller;

    [[nodiscard]] SecondMoments at(std::size_t i) const noexcept {
        return {sum[i], difference[i], mixed[i], smaller[i]};
    }
};

/// ThirdMoments of every component.
struct NodeThirdMoments {
    Buffer<double> a, b, c, d;

    [[nodiscard]] ThirdMoments at(std::size_t i) const noexcept { return {a[i], b[i], c[i], d[i]}; }
};

[[nodiscard]] NodeSums momentSumsOf(const ComponentTree& tree, const PixelList& list, const JobControl& control);
[[nodiscard]] NodeMoments momentsOf(const NodeSums& sums, const Buffer<std::uint32_t>& area, const JobControl& control);
[[nodiscard]] NodeThirdMoments thirdMomentsOf(const ComponentTree& tree, const PixelList& list, const NodeSums& sums,
                                              const Buffer<std::uint32_t>& area, const JobControl& control);

/// Peak memory of each function above in bytes, including the result.
[[nodiscard]] std::uint64_t momentSumBytes(const ComponentTree& tree) noexcept;
[[nodiscard]] std::uint64_t momentBytes(const ComponentTree& tree) noexcept;
[[nodiscard]] std::uint64_t thirdMomentBytes(const ComponentTree& tree) noexcept;

} // namespace pollard::cpu

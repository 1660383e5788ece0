#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/pixel_list.hpp"
#include "tree/component_tree.hpp"

#include <bit>
#include <cstdint>

// Moments of the shape of components, as formulas.hpp wants them. Everything is O(pixels + nodes), parallel.

namespace pollard::cpu {

/// Doubles in the memory of 64-bit sums: results take the place of the sums that they are made of, because fresh memory
/// costs more than the arithmetic.
class DoublesInPlace {
public:
    DoublesInPlace() = default;
    explicit DoublesInPlace(Buffer<std::uint64_t> sums) noexcept : bits_(std::move(sums)) {}

    [[nodiscard]] bool empty() const noexcept { return bits_.empty(); }
    [[nodiscard]] double operator[](std::size_t i) const noexcept { return std::bit_cast<double>(bits_[i]); }
    void set(std::size_t i, double value) noexcept { bits_[i] = std::bit_cast<std::uint64_t>(value); }

private:
    Buffer<std::uint64_t> bits_;
};

/// Centroids and SecondMoments.
struct NodeMoments {
    DoublesInPlace x, y, sum, difference, mixed, smaller;

    [[nodiscard]] SecondMoments at(std::size_t i) const noexcept {
        return {sum[i], difference[i], mixed[i], smaller[i]};
    }
};

struct NodeThirdMoments {
    DoublesInPlace a, b, c, d;

    [[nodiscard]] ThirdMoments at(std::size_t i) const noexcept { return {a[i], b[i], c[i], d[i]}; }
};

[[nodiscard]] NodeMoments momentsOf(const ComponentTree& tree, const PixelList& list, const Buffer<std::uint32_t>& area,
                                    const JobControl& control);
[[nodiscard]] NodeThirdMoments thirdMomentsOf(const ComponentTree& tree, const PixelList& list,
                                              const Buffer<std::uint32_t>& area, const JobControl& control);

/// Bytes that momentsOf() (order 2) or thirdMomentsOf() (order 3) holds at its peak, its result included.
[[nodiscard]] std::uint64_t momentBytes(const ComponentTree& tree, int order) noexcept;

} // namespace pollard::cpu

#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/sum_array.hpp"
#include "tree/component_tree.hpp"
#include "tree/pixel_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

// Moments of components for formulas.hpp. O(pixels + nodes), parallel.

namespace pollard::cpu {

/// MomentSums of every component, as arrays of x, y, xx, xy, yy.
template <class T> struct SumArrays {
    std::array<SumArray<T>, 5> of;

    [[nodiscard]] MomentSums<T> at(std::size_t i) const noexcept {
        return {of[0][i], of[1][i], of[2][i], of[3][i], of[4][i]};
    }
};

/// Of the width that the image needs. Source of centroids and moments of both orders.
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

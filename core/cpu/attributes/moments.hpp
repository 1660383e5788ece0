#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/pixel_list.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

// Moments of the shape of components, as formulas.hpp wants them. Everything is O(pixels + nodes), parallel.

namespace pollard::cpu {

/// Centroids and SecondMoments, an array for each.
struct NodeMoments {
    Buffer<double> x, y, sum, difference, mixed, smaller;
};

/// ThirdMoments, an array for each.
struct NodeThirdMoments {
    Buffer<double> a, b, c, d;
};

[[nodiscard]] NodeMoments momentsOf(const ComponentTree& tree, const PixelList& list, const Buffer<std::uint32_t>& area,
                                    const JobControl& control);
[[nodiscard]] NodeThirdMoments thirdMomentsOf(const ComponentTree& tree, const PixelList& list,
                                              const Buffer<std::uint32_t>& area, const JobControl& control);

/// Bytes of the sums from which moments up to an order, 2 or 3, are computed: freed when they are.
[[nodiscard]] std::uint64_t sumBytes(const ComponentTree& tree, int order) noexcept;

} // namespace pollard::cpu

#pragma once

#include "cuda/device/host_device.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Views of the arrays of a tree in host or device memory.
struct NodePlan {
    const std::uint32_t* pixelNode;
    const std::uint32_t* parent;
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const std::uint16_t* level;
    std::uint32_t nodeCount;
    std::uint32_t width;  ///< px
    std::uint32_t height; ///< px; of a volume the rows of all slices
    TreeKind kind;
    Connectivity connectivity;
    PixelType pixelType;
    std::uint16_t stabilityDelta = 0; ///< levels; 0: defaultStabilityDelta()

    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t pixelCount() const noexcept { return std::size_t{width} * height; }

    /// The level in the order of a max-tree, where children have higher levels than their parent.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint16_t rising(std::size_t node) const noexcept {
        return kind == TreeKind::max ? level[node] : static_cast<std::uint16_t>(~level[node]);
    }
    /// Absolute difference of two levels.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint16_t distance(std::uint16_t a, std::uint16_t b) noexcept {
        return static_cast<std::uint16_t>(a > b ? a - b : b - a);
    }
};

/// Sums over components from an exclusive prefix sum over the nodes: before[v] is the sum of the nodes' own values
/// below number v. Arithmetic is modulo 2^bits of T.
template <class T> struct ComponentSum {
    using Value = T;
    const std::uint32_t* subtreeEnd;
    const T* before; ///< nodes + 1

    [[nodiscard]] POLLARD_HOST_DEVICE T operator()(std::size_t node) const noexcept {
        return static_cast<T>(before[subtreeEnd[node]] - before[node]);
    }
    /// The node's own value, without its descendants.
    [[nodiscard]] POLLARD_HOST_DEVICE T own(std::size_t node) const noexcept {
        return static_cast<T>(before[node + 1] - before[node]);
    }
};

} // namespace pollard::cuda

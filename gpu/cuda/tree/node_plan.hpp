#pragma once

#include "cuda/device/host_device.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The arrays of a tree, wherever they are.
struct NodePlan {
    const std::uint32_t* pixelNode;
    const std::uint32_t* parent;
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const std::uint16_t* level;
    std::uint32_t nodeCount;
    std::uint32_t width;  ///< px
    std::uint32_t height; ///< px
    TreeKind kind;
    Connectivity connectivity;
    PixelType pixelType;

    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t pixelCount() const noexcept { return std::size_t{width} * height; }

    /// The level as in a max-tree: higher from parent to child.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint16_t rising(std::size_t node) const noexcept {
        return kind == TreeKind::max ? level[node] : static_cast<std::uint16_t>(~level[node]);
    }
    /// Distance between two levels.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint16_t distance(std::uint16_t a, std::uint16_t b) noexcept {
        return static_cast<std::uint16_t>(a > b ? a - b : b - a);
    }
};

/// Sum over components from the running sum over nodes in the order of their numbers: before[v] is the sum of what all
/// nodes of smaller numbers have themselves. Wraps around with T.
template <class T> struct ComponentSum {
    const std::uint32_t* subtreeEnd;
    const T* before; ///< nodes + 1

    [[nodiscard]] POLLARD_HOST_DEVICE T operator()(std::size_t node) const noexcept {
        return static_cast<T>(before[subtreeEnd[node]] - before[node]);
    }
    /// Of the node alone.
    [[nodiscard]] POLLARD_HOST_DEVICE T own(std::size_t node) const noexcept {
        return static_cast<T>(before[node + 1] - before[node]);
    }
};

} // namespace pollard::cuda

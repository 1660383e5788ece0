#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

/// Unit of the vertical axis of an icicle.
enum class IcicleHeight : std::uint8_t {
    level, ///< grey levels from the root's: a component extends from its parent's level to its own
    depth, ///< edges from the root: all components have the same height
};

/// Part of an icicle: areas run to the right, heights downwards.
struct IcicleRect {
    double left = 0;  ///< px of the image
    double right = 1; ///< > left
    double top = 0;   ///< grey levels or edges from the root
    double bottom = 1;

    [[nodiscard]] double width() const noexcept { return right - left; }
    [[nodiscard]] double height() const noexcept { return bottom - top; }
    bool operator==(const IcicleRect&) const = default;
};

/// Icicle plot of a tree (J. B. Kruskal, J. M. Landwehr, "Icicle plots", The American Statistician 37, 1983): every
/// component is a box as wide as its area, below its parent's box. Within a box the node's own pixels come first, then
/// its children in the order of their indices; so the left sides are the prefix sums of the nodes' own pixels. A column
/// shows one pixel of the image: the chain of components that contain it.
struct IcicleLayout {
    std::shared_ptr<const ComponentTree> tree;
    IcicleHeight measure = IcicleHeight::level;
    Buffer<std::uint32_t> start;   ///< per node the left side of its box, px; then the number of pixels
    Buffer<std::uint16_t> height;  ///< per node the lower side of its box; 0 for the root
    Buffer<std::uint16_t> deepest; ///< per node the largest height in its component

    [[nodiscard]] std::uint32_t pixelCount() const noexcept { return start[height.size()]; }
    [[nodiscard]] std::uint32_t areaOf(std::uint32_t node) const noexcept {
        return start[tree->subtreeEnd[node]] - start[node];
    }
    /// Node of the own pixel at position @p place < pixelCount() from the left. O(log nodes).
    [[nodiscard]] std::uint32_t nodeAt(std::uint32_t place) const noexcept;
    /// Box of a node. The root's box ends at height 0 and starts at the top of whole().
    [[nodiscard]] IcicleRect boxOf(std::uint32_t node) const noexcept;
    /// Box of a component with its descendants, and a margin of its parent's box above.
    [[nodiscard]] IcicleRect subtreeOf(std::uint32_t node) const noexcept;
    /// The whole icicle, with a margin above for the root.
    [[nodiscard]] IcicleRect whole() const noexcept { return subtreeOf(0); }
};

/// Computes the layout. O(pixels + nodes), parallel, without recursion.
/// @throws Cancelled
[[nodiscard]] IcicleLayout layOutIcicle(std::shared_ptr<const ComponentTree> tree, IcicleHeight measure,
                                        const JobControl& control = {});

} // namespace pollard

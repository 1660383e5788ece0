#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

/// What the way down an icicle measures.
enum class IcicleHeight : std::uint8_t {
    level, ///< grey levels from the root's: a component reaches from its parent's level to its own
    depth, ///< edges from the root: every component is as high as any other
};

/// A part of an icicle: areas go to the right, heights go down.
struct IcicleRect {
    double left = 0;  ///< px of the picture
    double right = 1; ///< > left
    double top = 0;   ///< grey levels or edges from the root
    double bottom = 1;

    [[nodiscard]] double width() const noexcept { return right - left; }
    [[nodiscard]] double height() const noexcept { return bottom - top; }
    bool operator==(const IcicleRect&) const = default;
};

/// A whole tree as an icicle (J. B. Kruskal, J. M. Landwehr, "Icicle plots", The American Statistician 37, 1983): every
/// component is a box as wide as its area, below that of its parent. Within a box the node's own pixels come first,
/// then its children in the order of their numbers; so the boxes' left sides are the prefix sums of the nodes' own
/// pixels. A column of it shows one pixel of the picture: the chain of components that hold it.
struct IcicleLayout {
    std::shared_ptr<const ComponentTree> tree;
    IcicleHeight measure = IcicleHeight::level;
    Buffer<std::uint32_t> start;   ///< per node the left side of its box, px; then the number of all pixels
    Buffer<std::uint16_t> height;  ///< per node the lower side of its box; 0 for the root
    Buffer<std::uint16_t> deepest; ///< per node the largest height in its component

    [[nodiscard]] std::uint32_t pixelCount() const noexcept { return start[height.size()]; }
    [[nodiscard]] std::uint32_t areaOf(std::uint32_t node) const noexcept {
        return start[tree->subtreeEnd[node]] - start[node];
    }
    /// The node whose own pixel is at this place, < pixelCount(), from the left. O(log nodes).
    [[nodiscard]] std::uint32_t nodeAt(std::uint32_t place) const noexcept;
    /// The box of a node. That of the root has no height of its own: it ends at 0 and begins at the top of whole().
    [[nodiscard]] IcicleRect boxOf(std::uint32_t node) const noexcept;
    /// The component with everything in it, and a margin of its parent's above.
    [[nodiscard]] IcicleRect subtreeOf(std::uint32_t node) const noexcept;
    /// All of it, with room above for the root.
    [[nodiscard]] IcicleRect whole() const noexcept { return subtreeOf(0); }
};

/// Lays the tree out. O(pixels + nodes), parallel, without recursion.
/// @throws Cancelled
[[nodiscard]] IcicleLayout layOutIcicle(std::shared_ptr<const ComponentTree> tree, IcicleHeight measure,
                                        const JobControl& control = {});

} // namespace pollard

#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <span>

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

/// Node index of places in an icicle without a component.
inline constexpr std::uint32_t kNoIcicleNode = 0xffff'ffffU;

/// Colours of components by an attribute, 0xAARRGGBB.
struct IcicleColours {
    const AttributeColumn* column = nullptr;
    bool logarithmic = false;                    ///< equal ratios are equal steps; values <= 0 get the first colour
    std::span<const std::uint32_t> scale;        ///< from the column's smallest value to its largest; not empty
    std::span<const std::uint32_t> removedScale; ///< for nodes that the filter removes; as long as @ref scale
    std::uint32_t undefined = 0;                 ///< for nodes with an undefined attribute
    std::span<const std::uint8_t> keep;          ///< per node 0 if the filter removes it; empty: keeps all
    std::span<const std::uint8_t> selected;      ///< per node, non-zero: drawn in @ref selectedColour; empty: none
    std::uint32_t selectedColour = 0;

    /// Value at the start of the scale: the smallest one. A logarithmic scale over values that are not all positive
    /// starts at 1 for integers, else at 1e-4 of the largest value; smaller values get the first colour.
    [[nodiscard]] double lowest() const noexcept;
    /// Index of a value on a scale of @p count colours.
    [[nodiscard]] std::size_t placeOf(double value, std::size_t count) const noexcept;
    [[nodiscard]] std::uint32_t of(std::uint32_t node) const noexcept;
};

/// Part of an icicle, to be painted on a surface of columns x rows pixels.
///
/// A column of the surface shows one pixel of the image: the first of greatest height among the pixels between its
/// sides (or the pixel at its left side, if a column is narrower than a pixel), so that narrow peaks stay visible. A
/// row shows the height at its centre.
struct IciclePaint {
    const IcicleLayout* layout = nullptr;
    IcicleRect part; ///< within [0, pixelCount()] horizontally
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    IcicleColours colours;
    /// Boxes with at least this many columns and rows get a darker line on their left and upper side; 0: none do.
    std::uint32_t lineFrom = 0;
};

/// Paints an icicle: `nodes` gets the node of every pixel or kNoIcicleNode, `pixels` its colour or 0; both have shape
/// (rows, columns), row-major. O(nodes in the part + pixels + components that begin between two columns); parallel over
/// columns.
/// @throws Cancelled
void paintIcicle(const IciclePaint& paint, std::span<std::uint32_t> nodes, std::span<std::uint32_t> pixels,
                 const JobControl& control = {});

} // namespace pollard

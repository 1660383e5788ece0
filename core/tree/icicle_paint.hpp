#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/icicle.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Node index where an icicle shows no component.
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

#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/icicle.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Where an icicle shows no component.
inline constexpr std::uint32_t kNoIcicleNode = 0xffff'ffffU;

/// Colours of components, 0xAARRGGBB, by one of their attributes.
struct IcicleColours {
    const AttributeColumn* column = nullptr;
    bool logarithmic = false;             ///< equal ratios are equal steps; values of 0 or less have the first colour
    std::span<const std::uint32_t> scale; ///< from the smallest value of the column to the largest, not empty
    std::span<const std::uint32_t> removedScale; ///< the same for nodes that the filter removes; as long
    std::uint32_t undefined = 0;                 ///< of nodes for which the attribute is not defined
    std::span<const std::uint8_t> keep;          ///< per node, 0: the filter removes it; empty: it removes none
    std::span<const std::uint8_t> selected;      ///< per node, others than 0 have @ref selectedColour; empty: none has
    std::uint32_t selectedColour = 0;

    /// The value at the beginning of the scale: the smallest one. A logarithmic scale of values that are not all above
    /// 0 begins at 1 if they are integers, else at a ten thousandth of the largest; what is smaller has the first
    /// colour.
    [[nodiscard]] double lowest() const noexcept;
    /// Place of a value on a scale of @p count colours.
    [[nodiscard]] std::size_t placeOf(double value, std::size_t count) const noexcept;
    [[nodiscard]] std::uint32_t of(std::uint32_t node) const noexcept;
};

/// A part of an icicle on a surface of columns x rows pixels.
///
/// A column of the surface shows one pixel of the picture: of the pixels between its sides (the one at its left side
/// where it is narrower than one) the first of those with the greatest height. So no peak is lost, however narrow. A
/// row shows what is at its middle.
struct IciclePaint {
    const IcicleLayout* layout = nullptr;
    IcicleRect part; ///< within 0 .. pixelCount() from left to right
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    IcicleColours colours;
    /// Boxes of at least so many columns and rows have a darker line at their left and upper side; 0: none have.
    std::uint32_t lineFrom = 0;
};

/// Paints it: `nodes` gets the node of every pixel or kNoIcicleNode, `pixels` its colour or 0. Row by row, both of
/// shape (rows, columns). O(nodes in the part + pixels + components that begin between a column and the next); parallel
/// over columns.
/// @throws Cancelled
void paintIcicle(const IciclePaint& paint, std::span<std::uint32_t> nodes, std::span<std::uint32_t> pixels,
                 const JobControl& control = {});

} // namespace pollard

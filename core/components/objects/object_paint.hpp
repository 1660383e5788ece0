#pragma once

#include "components/objects/measured_objects.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace pollard {

/// How to paint objects on a surface. Colours are 32-bit numbers of any meaning; 0 is the background.
struct ObjectPaint {
    std::span<const std::uint32_t> labels; ///< from the first pixel of the image, or plane of a volume, on
    std::size_t width = 0;                 ///< labels from row to row
    const ObjectList* list = nullptr;      ///< only listed objects are painted; null: all
    /// For each column of the surface the first label of its column of the image, and row for each row.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::span<const std::uint32_t> colours;         ///< label l has the colour at index l modulo their number
    std::span<const std::uint32_t> selectedColours; ///< for selected objects
    std::span<const std::uint8_t> selected;         ///< per object (index label - 1) 1 if selected; empty: none
    std::uint32_t outline = 0;                      ///< colour of the outline inside selected objects
    std::uint32_t halo = 0;                         ///< colour around them, one px of the surface wide
    int line = 1;                                   ///< width of outlines, px of the surface
    bool outlinesOnly = false;                      ///< only an outline inside every object has its colour
    /// The number of a label that replaces the label in the choice of colour; unset: the label itself.
    std::function<std::uint32_t(std::uint32_t label)> colourNumber{};
};

/// Paints every pixel of the surface by its label. Parallel over rows.
/// @param out shape (rows, columns)
void paintObjects(const ObjectPaint& paint, std::span<std::uint32_t> out);

} // namespace pollard

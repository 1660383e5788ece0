#pragma once

#include "components/components.hpp"
#include "components/objects/object_list.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// How the objects of a part of the picture are to be painted on a surface. Colours are 32-bit numbers of any meaning;
/// 0 is what the surface has where nothing is to be seen.
struct ObjectPaint {
    const Components* components = nullptr; ///< with labels
    const ObjectList* list = nullptr;       ///< others are not painted
    /// Column of the picture under each column of the surface, and row under each row; not descending.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::span<const std::uint32_t> colours;         ///< label l has the one at l modulo their number
    std::span<const std::uint32_t> selectedColours; ///< the same for selected objects
    std::span<const std::uint8_t> selected;         ///< 1 for a selected object number i + 1 at place i; empty: none is
    std::uint32_t outline = 0;                      ///< of selected objects, within them
    std::uint32_t halo = 0;                         ///< around them, one px of the surface wide
    int line = 1;                                   ///< width of the outline, px of the surface
    /// Of object number i + 1 at place i, in place of its label; empty: labels give the colours.
    std::span<const std::uint32_t> colourNumbers{};
};

/// Paints every pixel of the surface by the label under it. Parallel over rows.
/// @param out of shape (rows, columns)
void paintObjects(const ObjectPaint& paint, std::span<std::uint32_t> out);

} // namespace pollard

#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// How one component is to be painted on a surface. Colours are 32-bit numbers of any meaning; 0 is what the surface
/// has elsewhere.
struct ComponentPaint {
    const ComponentTree* tree = nullptr;
    std::uint32_t node = 0;
    /// Column of the picture under each column of the surface, and row under each row; not descending.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::uint32_t fill = 0;
    std::uint32_t outline = 0; ///< where a neighbour on the surface is outside, within the component
};

/// Paints every pixel of the surface by the node under it: a component is an interval of node numbers. Parallel over
/// rows.
/// @param out of shape (rows, columns)
void paintComponent(const ComponentPaint& paint, std::span<std::uint32_t> out);

} // namespace pollard

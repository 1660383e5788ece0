#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// How to paint nodes on a surface. Colours are 32-bit numbers of any meaning; 0 is the background.
struct NodePaint {
    const ComponentTree* tree = nullptr;
    /// Column of the picture for each column of the surface, and row for each row; non-decreasing.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::uint32_t fill = 0;
    std::uint32_t outline = 0; ///< colour of painted pixels with an unpainted neighbour on the surface
};

/// Paints the pixels of the surface whose node belongs to the component @p node, an interval of node indices. Parallel
/// over rows.
/// @param out shape (rows, columns)
void paintComponent(const NodePaint& paint, std::uint32_t node, std::span<std::uint32_t> out);

/// Paints the pixels whose node has a non-zero flag.
/// @param flags one per node of the tree
void paintNodes(const NodePaint& paint, std::span<const std::uint8_t> flags, std::span<std::uint32_t> out);

} // namespace pollard

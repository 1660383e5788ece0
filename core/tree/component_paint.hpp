#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// How nodes are to be painted on a surface. Colours are 32-bit numbers of any meaning; 0 is what the surface
/// has elsewhere.
struct NodePaint {
    const ComponentTree* tree = nullptr;
    /// Column of the picture under each column of the surface, and row under each row; not descending.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::uint32_t fill = 0;
    std::uint32_t outline = 0; ///< where a neighbour on the surface is outside, within them
};

/// Paints every pixel of the surface by whether the node under it is in the component @p node, an interval of node
/// numbers. Parallel over rows.
/// @param out of shape (rows, columns)
void paintComponent(const NodePaint& paint, std::uint32_t node, std::span<std::uint32_t> out);

/// The same for the nodes that have a flag other than 0.
/// @param flags one a node of the tree
void paintNodes(const NodePaint& paint, std::span<const std::uint8_t> flags, std::span<std::uint32_t> out);

} // namespace pollard

#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/volume_plane.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// Position and size of a component.
struct ComponentBox {
    PixelRegion box;          ///< smallest rectangle that contains it, of a volume in x and y
    std::uint64_t pixels = 0; ///< area, px
    std::uint32_t front = 0;  ///< first slice of a volume
    std::uint32_t slices = 1;
};

/// Scans the image or volume, in parallel over rows: for a single component without computed attributes.
/// @throws Cancelled
[[nodiscard]] ComponentBox boxOfComponent(const ComponentTree& tree, std::uint32_t node,
                                          const JobControl& control = {});

/// How to paint nodes on a surface. Colours are 32-bit numbers of any meaning; 0 is the background.
struct NodePaint {
    const ComponentTree* tree = nullptr;
    /// Column of the image, or of the plane of a volume, for each column of the surface, and row for each row.
    std::span<const std::size_t> columns;
    std::span<const std::size_t> rows;
    std::uint32_t fill = 0;
    std::uint32_t outline = 0; ///< colour of painted pixels with an unpainted neighbour on the surface
    VolumePlane plane{};       ///< of a volume, that is painted
};

/// Paints the pixels of the surface whose node belongs to the component @p node, an interval of node indices. Parallel
/// over rows.
/// @param out shape (rows, columns)
void paintComponent(const NodePaint& paint, std::uint32_t node, std::span<std::uint32_t> out);

/// Paints the pixels whose node has a non-zero flag.
/// @param flags one per node of the tree
void paintNodes(const NodePaint& paint, std::span<const std::uint8_t> flags, std::span<std::uint32_t> out);

} // namespace pollard

#pragma once

#include "image/image.hpp"
#include "trace/lab_picture.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard::teach {

/// The levels as the tree's order sees them: a min-tree is the max-tree of the turned levels.
[[nodiscard]] std::vector<std::uint16_t> orderedLevels(const LabPicture& picture, TreeKind kind);

/// All pixels by ascending level; of equal ones the later in raster order first, so that the pixel of a node that comes
/// first is its canonical one (ComponentTree).
[[nodiscard]] std::vector<std::uint32_t> pixelsByLevel(const std::vector<std::uint16_t>& ordered);

/// The picture as the engines open it.
[[nodiscard]] Image imageOf(const LabPicture& picture);

} // namespace pollard::teach

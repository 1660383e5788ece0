#pragma once

#include "image/image.hpp"
#include "trace/lab_image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard::teach {

/// The levels in the order of the tree: a min-tree is the max-tree of the complemented levels.
[[nodiscard]] std::vector<std::uint16_t> orderedLevels(const LabImage& picture, TreeKind kind);

/// All pixels by ascending level; among equal levels the later in raster order come first, so that the first pixel of a
/// node is its canonical one (ComponentTree).
[[nodiscard]] std::vector<std::uint32_t> pixelsByLevel(const std::vector<std::uint16_t>& ordered);

/// The image as an image for the engines.
[[nodiscard]] Image imageOf(const LabImage& picture);

} // namespace pollard::teach

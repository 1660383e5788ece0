#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::teach {

/// The edges between neighbouring pixels of a small picture, as Layer::edge counts them: by the later pixel of the two
/// in raster order, then by the earlier one.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> // (earlier, later)
gridEdges(std::uint32_t width, std::uint32_t height, Connectivity connectivity);

} // namespace pollard::teach

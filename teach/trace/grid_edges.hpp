#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::teach {

/// The ends of an edge: the earlier pixel in raster order, the later one.
using GridEdge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges between neighbouring pixels of a small picture, as Layer::edge counts them: by the later pixel of the two
/// in raster order, then by the earlier one.
[[nodiscard]] std::vector<GridEdge> gridEdges(std::uint32_t width, std::uint32_t height, Connectivity connectivity);

/// Number of the edge between two neighbours, whichever comes first.
[[nodiscard]] std::size_t edgeBetween(const std::vector<GridEdge>& edges, std::uint32_t one, std::uint32_t other);

/// Numbers of the edges of every pixel.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> edgesOfPixels(const std::vector<GridEdge>& edges,
                                                                    std::size_t pixels);

} // namespace pollard::teach

#pragma once

#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::teach {

/// The ends of an edge: the earlier pixel in raster order, then the later one.
using GridEdge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges between adjacent pixels of a small image in the order of Layer::edge: by the later pixel in raster
/// order, then by the earlier one.
[[nodiscard]] std::vector<GridEdge> gridEdges(std::uint32_t width, std::uint32_t height, Connectivity connectivity);

/// Index of the edge between two adjacent pixels, in any order.
[[nodiscard]] std::size_t edgeBetween(const std::vector<GridEdge>& edges, std::uint32_t one, std::uint32_t other);

/// Indices of the edges of each pixel.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> edgesOfPixels(const std::vector<GridEdge>& edges,
                                                                    std::size_t pixels);

} // namespace pollard::teach

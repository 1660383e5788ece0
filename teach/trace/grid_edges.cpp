#include "trace/grid_edges.hpp"

#include <algorithm>

namespace pollard::teach {

std::vector<GridEdge> gridEdges(std::uint32_t width, std::uint32_t height, Connectivity connectivity) {
    const bool eight = connectivity == Connectivity::eight;
    std::vector<GridEdge> edges;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint32_t pixel = y * width + x;
            if (eight && y > 0 && x > 0) {
                edges.emplace_back(pixel - width - 1, pixel);
            }
            if (y > 0) {
                edges.emplace_back(pixel - width, pixel);
            }
            if (eight && y > 0 && x + 1 < width) {
                edges.emplace_back(pixel - width + 1, pixel);
            }
            if (x > 0) {
                edges.emplace_back(pixel - 1, pixel);
            }
        }
    }
    return edges;
}

std::size_t edgeBetween(const std::vector<GridEdge>& edges, std::uint32_t one, std::uint32_t other) {
    const auto turned = [](const GridEdge& edge) { return GridEdge{edge.second, edge.first}; };
    const GridEdge wanted{std::max(one, other), std::min(one, other)};
    return static_cast<std::size_t>(std::ranges::lower_bound(edges, wanted, {}, turned) - edges.begin());
}

std::vector<std::vector<std::uint32_t>> edgesOfPixels(const std::vector<GridEdge>& edges, std::size_t pixels) {
    std::vector<std::vector<std::uint32_t>> edgesOf(pixels);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        edgesOf[edges[e].first].push_back(e);
        edgesOf[edges[e].second].push_back(e);
    }
    return edgesOf;
}

} // namespace pollard::teach

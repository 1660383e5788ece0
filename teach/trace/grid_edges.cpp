#include "trace/grid_edges.hpp"

namespace pollard::teach {

std::vector<std::pair<std::uint32_t, std::uint32_t>> gridEdges(std::uint32_t width, std::uint32_t height,
                                                               Connectivity connectivity) {
    const bool eight = connectivity == Connectivity::eight;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
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

} // namespace pollard::teach

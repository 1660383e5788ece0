#include "parts/chunk/open_nodes.hpp"

#include "parts/part.hpp"

#include <algorithm>

namespace pollard {

OpenNodes::OpenNodes(const PartJob& job, std::uint64_t chunk, const ComponentTree& tree)
    : nearest_(tree.nodeCount()), open_(tree.nodeCount()) {
    std::ranges::fill(open_.span(), std::uint8_t{0});
    const Extent extent = job.grid.boxOf(chunk).extent;
    for (const Direction direction : job.grid.seamsOf(chunk, job.connectivity)) {
        SeamLayer::of(extent, direction).forEachPixel(extent, [&](std::size_t, std::size_t pixel) {
            for (std::uint32_t node = tree.pixelNode[pixel]; open_[node] == 0; node = tree.parent[node]) {
                open_[node] = 1;
            }
        });
    }
    for (std::size_t i = 0; i < open_.size(); ++i) {
        nearest_[i] = open_[i] != 0 ? count_++ : i == 0 ? Part::kNone : nearest_[tree.parent[i]];
    }
}

} // namespace pollard

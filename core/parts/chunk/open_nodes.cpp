#include "parts/chunk/open_nodes.hpp"

#include "parts/part.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>

namespace pollard {

OpenNodes::OpenNodes(const PartJob& job, std::uint64_t chunk, const ComponentTree& tree, const JobControl& control)
    : nearest_(tree.nodeCount()), open_(tree.nodeCount()) {
    std::ranges::fill(open_.span(), std::uint8_t{0});
    const Extent extent = job.grid.boxOf(chunk).extent;
    for (const Direction direction : job.grid.seamsOf(chunk, job.connectivity)) {
        SeamLayer::of(extent, direction).forEachPixel(extent, [&](std::size_t, std::size_t pixel) {
            for (std::uint32_t node = tree.pixelNode[pixel]; open_[node] == 0; node = tree.parent[node]) {
                open_[node] = 1;
                list_.push_back(node);
            }
        });
    }
    std::ranges::sort(list_);
    nearest_[0] = Part::kNone;
    for (std::uint32_t number = 0; number < list_.size(); ++number) {
        nearest_[list_[number]] = number;
    }
    sweepDown(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        if (open_[node] == 0) {
            nearest_[node] = nearest_[parent];
        }
    });
}

} // namespace pollard

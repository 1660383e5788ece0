#include "analysis/delta_ancestors.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace pollard {

namespace {

/// Nodes of a task. Each begins with a walk to the root, at most 65,535 steps, which must be a small part of it.
constexpr std::size_t kNodesPerTask = std::size_t{1} << 18;

} // namespace

Buffer<std::uint32_t> deltaAncestors(const ComponentTree& tree, std::uint16_t delta, const JobControl& control) {
    Buffer<std::uint32_t> ancestors(tree.nodeCount());
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, tree.nodeCount(), kNodesPerTask),
        [&](const auto& range) {
            control.throwIfStopped();
            std::vector<std::uint32_t> path; // from the root to the node before
            for (auto node = static_cast<std::uint32_t>(range.begin()); node != 0; node = tree.parent[node]) {
                path.push_back(tree.parent[node]);
            }
            std::reverse(path.begin(), path.end());
            for (std::size_t i = range.begin(); i != range.end(); ++i) {
                const auto node = static_cast<std::uint32_t>(i);
                while (!path.empty() && !tree.contains(path.back(), node)) {
                    path.pop_back();
                }
                path.push_back(node);
                // Levels differ less and less from the node's along the path.
                const auto found = std::partition_point(path.begin(), path.end(), [&](std::uint32_t other) {
                    return std::abs(int{tree.level[other]} - int{tree.level[node]}) > int{delta};
                });
                ancestors[i] = *found;
            }
        },
        tbb::simple_partitioner{});
    return ancestors;
}

} // namespace pollard

#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

// Sizes, levels and outlines of components. Pixels and bounding boxes take O(pixels + nodes), depths and numbers of
// descendants O(nodes).

namespace pollard::cpu {

/// Pixels of each component, from the pixels at each node's level.
[[nodiscard]] Buffer<std::uint32_t> areasOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                            const JobControl& control);

[[nodiscard]] Buffer<NodeBox> boxesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control);

/// Pixels of each component in the first or last row or column of the image; a corner counts once.
[[nodiscard]] Buffer<std::uint32_t> borderPixelsOf(const ComponentTree& tree, const JobControl& control);

/// Edges from the root to each node.
[[nodiscard]] Buffer<std::uint32_t> depthsOf(const ComponentTree& tree, const JobControl& control);
/// Nodes whose parent is the node.
[[nodiscard]] Buffer<std::uint32_t> childCountsOf(const ComponentTree& tree, const JobControl& control);
/// Leaves in the component; 1 for a leaf.
[[nodiscard]] Buffer<std::uint32_t> leafCountsOf(const ComponentTree& tree, const JobControl& control);

// From the grey levels, in O(nodes), parallel:

/// Level in each component farthest from the level of its parent.
[[nodiscard]] Buffer<std::uint16_t> farthestLevelsOf(const ComponentTree& tree, const JobControl& control);
/// Distance of the farthest level in the component from the level of the parent (root: from its own).
[[nodiscard]] Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, const JobControl& control);

/// Sum of levels over the pixels of each component; below 2^48.
[[nodiscard]] Buffer<std::uint64_t> levelSumsOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                                const JobControl& control);

/// Population variance of the levels.
[[nodiscard]] Buffer<double> variancesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                         const Buffer<std::uint32_t>& area, const Buffer<std::uint64_t>& sum,
                                         const JobControl& control);

/// packOutline() of every component: sums over the pixels in the order of decreasing node index. A pixel's contribution
/// depends on which of its eight neighbours precede it. Adjacent pixels belong to one component from the lower one on.
/// Pixels that touch only at a corner of a 4-connected tree may belong to different components, with the same
/// contribution (two pixels in a quad count 2, together or apart). O(pixels + nodes), parallel.
[[nodiscard]] Buffer<std::uint64_t> outlinesOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

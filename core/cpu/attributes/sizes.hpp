#pragma once

#include "attributes/node_box.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"
#include "tree/pixel_list.hpp"

#include <cstdint>

// Sizes of components: pixels and bounding boxes in O(pixels + nodes), depths and numbers of descendants in O(nodes).

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

} // namespace pollard::cpu

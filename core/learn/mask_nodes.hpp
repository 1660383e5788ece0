#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes of a tree that stand for a mask.
struct MaskNodes {
    std::vector<std::uint32_t> nodes; ///< disjoint, ascending
    std::uint64_t pixels = 0;         ///< of the nodes
    std::uint64_t outside = 0;        ///< of these, pixels outside of the mask
    std::uint64_t missed = 0;         ///< pixels of the mask in no node

    bool operator==(const MaskNodes&) const = default;
};

/// The disjoint nodes with the least sum of `outside` and `missed`, an exact optimum; of equal ones the larger nodes,
/// or none. One pass from the leaves to the root: the gain of a node is the number of its pixels in the mask less that
/// of the others,
///
///     best(v) = max(gain(v), sum of best(children))
///
/// so the mask may be rough. O(pixels + nodes), parallel, for any height; 16 bytes a node. (Passat, Naegel, Rousseau,
/// Koob, Dietemann, "Interactive segmentation based on component-trees", Pattern Recognition, 2011)
/// @param mask of all slices of a volume, one below the other
/// @throws Error(invalidArgument) for a mask of another size, Error(outOfMemory); Cancelled
[[nodiscard]] MaskNodes nodesOfMask(const ComponentTree& tree, const Mask& mask, const JobControl& control = {});

} // namespace pollard

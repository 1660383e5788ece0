#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/pixel_list.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Lengths of outlines and holes of components.
struct NodeOutlines {
    Buffer<std::uint64_t> perimeter; ///< exposed pixel sides
    Buffer<std::int32_t> euler;      ///< 1 - holes, with the tree's connectivity
};

/// Both are sums over pixels that enter one after another, in the order of falling node numbers: a pixel's change of
/// perimeter and Euler number depends on which of its eight neighbours are there before it. Neighbours that touch are
/// one component's from the lower one on. Those that touch only at a corner of a 4-connected tree may belong to
/// different components, and the change is the same (two pixels in a quad count 2, together or apart).
/// O(pixels + nodes), parallel.
[[nodiscard]] NodeOutlines outlinesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control);

} // namespace pollard::cpu

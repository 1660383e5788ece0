#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// packOutline() of every component: sums over the pixels in the order of decreasing node index. A pixel's contribution
/// depends on which of its eight neighbours precede it. Adjacent pixels belong to one component from the lower one on.
/// Pixels that touch only at a corner of a 4-connected tree may belong to different components, with the same
/// contribution (two pixels in a quad count 2, together or apart). O(pixels + nodes), parallel.
[[nodiscard]] Buffer<std::uint64_t> outlinesOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

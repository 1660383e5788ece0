#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Perimeters and Euler numbers of components.
class NodeOutlines {
public:
    NodeOutlines() = default;
    explicit NodeOutlines(Buffer<std::uint64_t> packed) noexcept : packed_(std::move(packed)) {}

    [[nodiscard]] bool empty() const noexcept { return packed_.empty(); }
    /// Exposed pixel sides.
    [[nodiscard]] std::uint64_t perimeter(std::size_t node) const noexcept { return perimeterOf(packed_[node]); }
    /// 1 - number of holes, for the tree's connectivity.
    [[nodiscard]] std::int32_t euler(std::size_t node) const noexcept { return eulerOf(packed_[node]); }

private:
    Buffer<std::uint64_t> packed_; ///< packOutline() per node
};

/// Perimeter and Euler number are sums over the pixels in the order of decreasing node index: a pixel's contribution
/// depends on which of its eight neighbours precede it. Adjacent pixels belong to one component from the lower one on.
/// Pixels that touch only at a corner of a 4-connected tree may belong to different components, with the same
/// contribution (two pixels in a quad count 2, together or apart). O(pixels + nodes), parallel.
[[nodiscard]] NodeOutlines outlinesOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

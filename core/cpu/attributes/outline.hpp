#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Lengths of outlines and holes of components.
class NodeOutlines {
public:
    NodeOutlines() = default;
    explicit NodeOutlines(Buffer<std::uint64_t> packed) noexcept : packed_(std::move(packed)) {}

    [[nodiscard]] bool empty() const noexcept { return packed_.empty(); }
    /// Exposed pixel sides.
    [[nodiscard]] std::uint64_t perimeter(std::size_t node) const noexcept { return perimeterOf(packed_[node]); }
    /// 1 - holes, with the tree's connectivity.
    [[nodiscard]] std::int32_t euler(std::size_t node) const noexcept { return eulerOf(packed_[node]); }

private:
    Buffer<std::uint64_t> packed_; ///< as of packOutline()
};

/// Both are sums over pixels that enter one after another, in the order of falling node numbers: a pixel's change of
/// perimeter and Euler number depends on which of its eight neighbours are there before it. Neighbours that touch are
/// one component's from the lower one on. Those that touch only at a corner of a 4-connected tree may belong to
/// different components, and the change is the same (two pixels in a quad count 2, together or apart).
/// O(pixels + nodes), parallel.
[[nodiscard]] NodeOutlines outlinesOf(const ComponentTree& tree, const JobControl& control);

} // namespace pollard::cpu

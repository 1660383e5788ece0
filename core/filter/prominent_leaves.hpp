#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// The @p count leaves with the largest values of @p column, ascending; at a tie those with the smaller canonical pixel
/// index. All leaves if there are fewer. NaN is less than every number. O(nodes).
[[nodiscard]] std::vector<std::uint32_t> prominentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                         std::uint32_t count);

/// Per node 1 if its component contains one of prominentLeaves(), else 0.
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint8_t> holdProminentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                       std::uint32_t count, const JobControl& control);

} // namespace pollard

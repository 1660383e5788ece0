#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// The @p count leaves with the largest values of @p column; of equal ones those with the smaller canonical pixel
/// index. All leaves if there are no more. Ascending. NaN is less than every number. O(nodes).
[[nodiscard]] std::vector<std::uint32_t> prominentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                         std::uint32_t count);

/// Per node 1 if its component holds one of prominentLeaves(), else 0.
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint8_t> holdProminentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                                       std::uint32_t count, const JobControl& control);

} // namespace pollard

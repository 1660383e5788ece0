#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard::cpu {

/// Sums over the border of each component. They hold for trees of all connectivities: of two pixels with a common face,
/// one is in the smallest component of the other. O(pixels + nodes), parallel, independent of the number of threads.
/// @param values number of each level, which the sums take instead of the level; empty for the levels
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<BorderSums> borderSumsOf(const ComponentTree& tree, const JobControl& control,
                                              std::span<const std::uint16_t> values = {});

} // namespace pollard::cpu

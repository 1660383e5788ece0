#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

// Attributes from the grey levels of components. O(nodes), parallel.

namespace pollard::cpu {

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

} // namespace pollard::cpu

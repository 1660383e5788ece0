#pragma once

#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// The node with the canonical pixel @p canonical; nothing if there is none.
[[nodiscard]] std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept;

/// FilterSpec::removed, kept and only as nodes of one tree.
struct HandPicks {
    std::vector<std::uint32_t> removed; ///< ascending, none inside another
    std::vector<std::uint32_t> kept;    ///< ascending, none inside a removed one
    std::vector<std::uint32_t> only;    ///< ascending, none inside another
    std::uint32_t unknown = 0;          ///< picks without a node
};

/// Finds the picked nodes. O(k log k) for k picks.
[[nodiscard]] HandPicks resolvePicks(const ComponentTree& tree, const FilterSpec& spec);

} // namespace pollard

#pragma once

#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// The node whose canonical pixel is @p canonical; nothing if there is none.
[[nodiscard]] std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept;

/// FilterSpec::removed, kept and only as nodes of one tree.
struct HandPicks {
    std::vector<std::uint32_t> removed; ///< ascending; none lies in another
    std::vector<std::uint32_t> kept;    ///< ascending; none lies in a removed one
    std::vector<std::uint32_t> only;    ///< ascending; none lies in another
    std::uint32_t unknown = 0;          ///< picks that name no node
};

/// O(k log k) for k picks.
[[nodiscard]] HandPicks resolvePicks(const ComponentTree& tree, const FilterSpec& spec);

} // namespace pollard

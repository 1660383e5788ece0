#pragma once

#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The node whose canonical pixel is @p canonical; nothing if there is none.
[[nodiscard]] std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept;

/// FilterSpec::removed and kept as nodes of one tree.
struct HandPicks {
    std::vector<std::uint32_t> removed; ///< ascending; none lies in another
    std::vector<std::uint32_t> kept;    ///< ascending; none lies in a removed one
    std::uint32_t unknown = 0;          ///< picks that name no node
};

/// O(k log k) for k picks.
[[nodiscard]] HandPicks resolvePicks(const ComponentTree& tree, std::span<const std::uint32_t> removed,
                                     std::span<const std::uint32_t> kept);

} // namespace pollard

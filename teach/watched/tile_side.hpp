#pragma once

#include "player/player.hpp"

#include <cstdint>
#include <type_traits>

namespace pollard::teach {

/// Calls build(side, eight) with the spec's tile side, which requireTiles() has checked, and connectivity as constants.
template <class Build> void withTileSide(const PlayerSpec& spec, const Build& build) {
    const auto ofSide = [&](auto side) {
        spec.connectivity == Connectivity::eight ? build(side, std::true_type()) : build(side, std::false_type());
    };
    switch (spec.tileSide) {
    case 2:
        return ofSide(std::integral_constant<std::uint32_t, 2>());
    case 4:
        return ofSide(std::integral_constant<std::uint32_t, 4>());
    default:
        return ofSide(std::integral_constant<std::uint32_t, 8>());
    }
}

} // namespace pollard::teach

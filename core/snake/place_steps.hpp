#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// A table that device code can copy.
struct PlaceSteps {
    static constexpr std::size_t kCount = 8;
    ContourNode steps[kCount];

    [[nodiscard]] POLLARD_HOST_DEVICE constexpr const ContourNode& operator[](std::size_t place) const noexcept {
        return steps[place];
    }
};

/// Steps to the positions around a node, in the order of trial.
inline constexpr PlaceSteps kPlaceSteps{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

/// The steps along x and y plus 1, in two bits each: tables in a register, because indexed tables are slow on a device.
inline constexpr ContourNode kPackedSteps = [] {
    ContourNode packed;
    for (std::size_t place = 0; place < PlaceSteps::kCount; ++place) {
        packed.x |= (kPlaceSteps[place].x + 1) << 2 * place;
        packed.y |= (kPlaceSteps[place].y + 1) << 2 * place;
    }
    return packed;
}();

/// Position @p place around a node.
/// @param reach px
[[nodiscard]] POLLARD_HOST_DEVICE inline ContourNode placeAround(ContourNode node, std::uint32_t reach,
                                                                 std::size_t place) noexcept {
    constexpr std::int32_t kAlongX = kPackedSteps.x;
    constexpr std::int32_t kAlongY = kPackedSteps.y;
    const auto distance = static_cast<std::int32_t>(reach);
    return {node.x + distance * ((kAlongX >> 2 * place & 3) - 1), node.y + distance * ((kAlongY >> 2 * place & 3) - 1)};
}

} // namespace pollard

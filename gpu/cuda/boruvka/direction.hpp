#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Directions to the eight neighbours of a pixel. Even numbers are the four of 4-connectivity; opposite directions
/// differ in the highest of three bits.
enum Direction : std::uint32_t {
    kEast,
    kSouthEast,
    kSouth,
    kSouthWest,
    kWest,
    kNorthWest,
    kNorth,
    kNorthEast,
};

[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t opposite(std::uint32_t direction) noexcept {
    return direction ^ 4U;
}

// Steps plus one, two bits per direction: arithmetic instead of a table in memory.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int stepRight(std::uint32_t direction) noexcept {
    return static_cast<int>((0x901aU >> (2 * direction)) & 3U) - 1;
}
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int stepDown(std::uint32_t direction) noexcept {
    return static_cast<int>((0x01a9U >> (2 * direction)) & 3U) - 1;
}

static_assert(stepRight(kEast) == 1 && stepRight(kNorth) == 0 && stepRight(kSouthWest) == -1);
static_assert(stepDown(kEast) == 0 && stepDown(kSouthWest) == 1 && stepDown(kNorthEast) == -1);

} // namespace pollard::cuda

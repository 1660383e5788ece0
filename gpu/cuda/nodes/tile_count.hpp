#pragma once

#include "image/extent.hpp"

#include <cstdint>

namespace pollard::cuda {

/// A tile of TileSums is as wide as a warp; sums over it fit the fields of the words.
inline constexpr std::uint32_t kTileSide = 32;

/// Number of tiles of an image. A tile lies in one slice.
[[nodiscard]] constexpr std::uint64_t tilesOf(const Extent& extent) noexcept {
    const auto along = [](std::uint64_t side) { return (side + kTileSide - 1) / kTileSide; };
    return along(extent.width) * along(extent.height) * extent.slices;
}

} // namespace pollard::cuda

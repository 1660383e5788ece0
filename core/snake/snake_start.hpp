#pragma once

#include "image/mask.hpp"
#include "image/pixel_region.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_sums.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_rules.hpp"
#include "snake/snake_spec.hpp"

#include <cstdint>

namespace pollard {

/// The spec with the defaults that depend on the image's size.
[[nodiscard]] SnakeSpec usedSpec(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept;

/// @param all sums over the valid pixels
/// @param bounds the image, or a part of it that the contour may reach
/// @param table TableLog::makeTable(), in the memory where the rules are used
[[nodiscard]] SnakeRules rulesFor(const SnakeSpec& spec, const RegionSums& all, const PixelRegion& bounds,
                                  const TableLog::Entry* table) noexcept;

/// The start in clockwise orientation on the screen, with the same first node.
/// @throws Error(invalidArgument) if it is not a simple polygon within the image, has too many nodes, or a mask of
/// forbidden pixels has another size
[[nodiscard]] Contour usedStart(Contour start, const SnakeSpec& spec, std::uint32_t width, std::uint32_t height,
                                const Mask* forbidden);

/// @throws Error(invalidArgument) if inside or outside has less than minPixels, or forbidden pixels are inside
/// @param forbidden null for none
void requireRoom(const Contour& start, const RegionSums& inside, const RegionSums& outside, const SnakeSpec& spec,
                 const RowCounts* forbidden);

} // namespace pollard

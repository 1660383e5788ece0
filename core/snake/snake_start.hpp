#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_rules.hpp"
#include "snake/snake_spec.hpp"

#include <cstdint>
#include <string>

namespace pollard {

/// The spec with the defaults that depend on the image's size.
[[nodiscard]] SnakeSpec usedSpec(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept;

/// @param all sums over the valid pixels
/// @param bounds the image, or the part of the image to which the contour is limited
/// @param table TableLog::makeTable(), in the memory where the rules are used
[[nodiscard]] SnakeRules rulesFor(const SnakeSpec& spec, const RegionSums& all, const PixelRegion& bounds,
                                  const TableLog::Entry* table) noexcept;

/// Turns a start clockwise on the screen; its first node stays first.
/// @param part the image, or the part of the image to which the contour is limited
/// @throws Error(invalidArgument) if it is not a simple polygon within the part, or has too many nodes, and for a price
/// on length that is not from 0 to kMostLengthPrice
[[nodiscard]] Contour usedStart(Contour start, const SnakeSpec& spec, const PixelRegion& part);

/// @param what subject and verb of the message: "the forbidden area is"
/// @param mask null for none
/// @throws Error(invalidArgument) for a mask of another size than the image
void requireSize(const std::string& what, const Mask* mask, const Image& image);

/// @throws Error(invalidArgument) if inside or outside has less than minPixels, or forbidden pixels are inside
/// @param forbidden null for none
void requireRoom(const Contour& start, const RegionSums& inside, const RegionSums& outside, const SnakeSpec& spec,
                 const RowCounts* forbidden);

} // namespace pollard

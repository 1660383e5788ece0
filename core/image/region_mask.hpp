#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"
#include "image/region_shape.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace pollard {

/// The pixels of an image of shape (height, width) whose centre lies in at least one shape, or, if @p inverted, in
/// none. Polygons use the even-odd rule. Centres on a left or upper border are inside, on a right or lower one outside,
/// so that adjacent shapes share no pixel. O(height * corners + words), parallel over rows.
/// @throws Error(invalidArgument) if a side is 0; Cancelled
[[nodiscard]] Mask makeRegionMask(std::uint32_t width, std::uint32_t height, std::span<const RegionShape> shapes,
                                  bool inverted = false, const JobControl& control = {});

/// Smallest rectangle of pixels that covers all shapes within the image; nothing if no shape overlaps it.
[[nodiscard]] std::optional<PixelRegion> pixelBoundsOf(std::span<const RegionShape> shapes, std::uint32_t width,
                                                       std::uint32_t height) noexcept;

} // namespace pollard

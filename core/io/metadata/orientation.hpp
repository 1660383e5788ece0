#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"

namespace pollard {

/// Orientations are those of TIFF 6.0 and Exif, 1 to 8: position of the first stored row and column in the upright
/// image. 1 is upright; 5 to 8 swap rows and columns.
[[nodiscard]] constexpr bool swapsSides(int orientation) noexcept { return orientation >= 5; }

/// Stored region that corresponds to a region of the upright image, for a stored image of @p storedWidth x
/// @p storedHeight px.
[[nodiscard]] PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                                       std::uint32_t storedHeight) noexcept;

/// The stored image in upright orientation. @throws Error(outOfMemory), Cancelled
[[nodiscard]] Image uprightImage(const Image& stored, int orientation, const JobControl& control = {});
[[nodiscard]] Mask uprightMask(const Mask& stored, int orientation);

} // namespace pollard

#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"

namespace pollard {

/// Orientations are those of TIFF 6.0 and Exif, 1 to 8: position of the first stored row and column in the upright
/// picture. 1 is upright; 5 to 8 swap rows and columns.
[[nodiscard]] constexpr bool swapsSides(int orientation) noexcept { return orientation >= 5; }

/// Stored region that corresponds to a region of the upright picture, for a stored picture of @p storedWidth x
/// @p storedHeight px.
[[nodiscard]] PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                                       std::uint32_t storedHeight) noexcept;

/// The stored picture in upright orientation. @throws Error(outOfMemory), Cancelled
[[nodiscard]] Image uprightImage(const Image& stored, int orientation, const JobControl& control = {});
[[nodiscard]] Mask uprightMask(const Mask& stored, int orientation);

} // namespace pollard

#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"

namespace pollard {

/// Orientations are those of TIFF 6.0 and Exif, 1 to 8: where the first stored row and column belong in the upright
/// picture. 1 is upright, from 5 on rows and columns change places.
[[nodiscard]] constexpr bool swapsSides(int orientation) noexcept { return orientation >= 5; }

/// Where the region of the upright picture of a stored one of @p storedWidth x @p storedHeight px is stored.
[[nodiscard]] PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                                       std::uint32_t storedHeight) noexcept;

/// The stored picture made upright. @throws Error(outOfMemory), Cancelled
[[nodiscard]] Image uprightImage(const Image& stored, int orientation, const JobControl& control = {});
[[nodiscard]] Mask uprightMask(const Mask& stored, int orientation);

} // namespace pollard

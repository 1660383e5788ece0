#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace pollard {

/// Whether an orientation swaps rows and columns: 5 to 8. Orientations of TIFF 6.0 and Exif, 1 to 8, state the position
/// of the first stored row and column in the upright image; 1 is upright.
[[nodiscard]] constexpr bool swapsSides(int orientation) noexcept { return orientation >= 5; }

/// Stored region that corresponds to a region of the upright image, for a stored image of @p storedWidth x
/// @p storedHeight px.
[[nodiscard]] PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                                       std::uint32_t storedHeight) noexcept;

/// The stored image in upright orientation. @throws Error(outOfMemory), Cancelled
[[nodiscard]] Image uprightImage(const Image& stored, int orientation, const JobControl& control = {});
[[nodiscard]] Mask uprightMask(const Mask& stored, int orientation);

/// Whether regions of a stored channel are read without the rest of the page, so that shrinking takes only memory for a
/// band. @throws Error
[[nodiscard]] bool readsRegions(const std::filesystem::path& path, const ReadOptions& options);

/// Number of pixels from which on images are shrunk by readShrunk() instead of read as a whole.
inline constexpr std::uint64_t kShrunkInBandsFrom = std::uint64_t{1} << 26;

/// Like readImage() with options.shrink above 1, but in bands: takes memory for the result and about 2^24 px of the
/// page or a row of blocks, so that the page may have more than Image::kMaxPixels pixels. A mapping that follows from
/// the range of all values takes one more pass over the page.
/// @param bandPixels least number of pixels of a band; a band has whole rows of blocks if they fit
/// @throws Error as readImage(), formatUnsupported for formats that can only be read as a whole; Cancelled
[[nodiscard]] LoadedImage readShrunk(const std::filesystem::path& path, const ReadOptions& options,
                                     const JobControl& control = {}, std::uint64_t bandPixels = std::uint64_t{1} << 24);

/// @p wanted after checks against a page (or level) of @p width x @p height px.
/// @throws Error(invalidArgument) if it is empty or extends beyond the page
[[nodiscard]] PixelRegion checkedRegion(const PixelRegion& wanted, std::uint32_t width, std::uint32_t height);

/// The region, checked, or all of the page if it is unset.
/// @throws Error(invalidArgument) as checkedRegion(), naming the file
[[nodiscard]] PixelRegion wantedRegion(const std::filesystem::path& path, const std::optional<PixelRegion>& wanted,
                                       std::uint32_t width, std::uint32_t height);

/// Adapts geographic tags and the place of voxels to a region of the page.
void placeRegion(ImageInfo& info, const PixelRegion& region);

/// Adapts tags, place and pixel sizes of an image of @p width x @p height px to its reduced version, in which blocks of
/// scaleX x scaleY px are one pixel. Keeps width and height of @p info.
void scalePixels(ImageInfo& info, std::uint32_t width, std::uint32_t height, double scaleX, double scaleY);

/// Part @p region of the image, with its mask (null if all of the part is valid). Adjusts georeferencing tags.
/// @throws Error(invalidArgument) as checkedRegion(); Cancelled
[[nodiscard]] LoadedImage cropped(const LoadedImage& loaded, const PixelRegion& region, const JobControl& control = {});

/// The image with blocks of factor x factor px averaged, see ReadOptions::shrink. Adjusts mask, pixel size and
/// georeferencing tags.
/// @throws Error(invalidArgument) if the factor is below 1; Cancelled
[[nodiscard]] LoadedImage shrunk(const LoadedImage& loaded, int factor, const JobControl& control = {});

} // namespace pollard

#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace pollard {

/// @p wanted after checks against a page (or level) of @p width x @p height px.
/// @throws Error(invalidArgument) if it is empty or extends beyond the page
[[nodiscard]] PixelRegion checkedRegion(const PixelRegion& wanted, std::uint32_t width, std::uint32_t height);

/// The region, checked, or all of the page if it is unset.
/// @throws Error(invalidArgument) as checkedRegion(), naming the file
[[nodiscard]] PixelRegion wantedRegion(const std::filesystem::path& path, const std::optional<PixelRegion>& wanted,
                                       std::uint32_t width, std::uint32_t height);

/// Makes a region of the page the image that geographic tags and the place of voxels refer to.
void placeRegion(ImageInfo& info, const PixelRegion& region);

/// Makes blocks of scaleX x scaleY px one pixel in tags, place and sizes: those of an image of @p width x @p height px
/// become those of its reduced version. Width and height of @p info stay.
void scalePixels(ImageInfo& info, std::uint32_t width, std::uint32_t height, double scaleX, double scaleY);

/// Part @p region of the image, with its mask (null if all of the part is valid). Adjusts georeferencing tags.
/// @throws Error(invalidArgument) as checkedRegion(); Cancelled
[[nodiscard]] LoadedImage cropped(const LoadedImage& loaded, const PixelRegion& region, const JobControl& control = {});

/// The image with blocks of factor x factor px averaged, see ReadOptions::shrink. Adjusts mask, pixel size and
/// georeferencing tags.
/// @throws Error(invalidArgument) if the factor is below 1; Cancelled
[[nodiscard]] LoadedImage shrunk(const LoadedImage& loaded, int factor, const JobControl& control = {});

} // namespace pollard

#pragma once

#include "io/image_file.hpp"

#include <cstdint>

namespace pollard {

/// @p wanted, checked against a page (or level) of @p width x @p height px.
/// @throws Error(invalidArgument) if it is empty or reaches beyond the page
[[nodiscard]] PixelRegion checkedRegion(const PixelRegion& wanted, std::uint32_t width, std::uint32_t height);

/// The part @p region of the image, with its mask (none if all of the part is valid).
/// Tags that place the picture in the world are moved with it.
/// @throws Error(invalidArgument) as checkedRegion(); Cancelled
[[nodiscard]] LoadedImage cropped(const LoadedImage& loaded, const PixelRegion& region, const JobControl& control = {});

/// The image with every factor x factor px made one, as ReadOptions::shrink says. Level, mask, pixel size and the tags
/// that place the picture in the world follow.
/// @throws Error(invalidArgument) if the factor is below 1; Cancelled
[[nodiscard]] LoadedImage shrunk(const LoadedImage& loaded, int factor, const JobControl& control = {});

} // namespace pollard

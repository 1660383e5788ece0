#pragma once

#include "io/image_file.hpp"

#include <optional>

namespace pollard {

/// The ImageDescription (tag 270, OME-XML 2016-06) that tells other programs how the pages of a TIFF are counted:
/// channels, z, times and pixel size as @p source has them. The first page gets it.
/// @param type,width,height of the pages that are written
/// @return nothing where there are no such axes, or their positions are not the pages of @p source
[[nodiscard]] std::optional<CarriedTag> omeDescription(const ImageInfo& source, PixelType type, std::uint32_t width,
                                                       std::uint32_t height);

} // namespace pollard

#pragma once

#include "io/image_file.hpp"

#include <cstdint>

namespace pollard {

/// PixelSize::source of a size on the ground.
inline constexpr const char* kGroundSize = "GeoTIFF, on the ground";

/// Replaces the size of pixels in a projected coordinate system by that on the ground, by geodesics on the ellipsoid
/// (PROJ), where both differ by more than a hundredth in area, as in Web Mercator; a note says so. If it varies by more
/// over the image, PixelSize::whyNoUnit is set. Pixels in degrees get a size in m if it varies by less. Takes about
/// 10 to 100 ms, unless the system is a zone of UTM or another one with a scale near 1.
/// @param info of the page read; its tags and size are those of an image of width x height px
void findGroundSize(ImageInfo& info, std::uint32_t width, std::uint32_t height);

} // namespace pollard

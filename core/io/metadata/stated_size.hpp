#pragma once

#include "io/image_file.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

// Pixel size set by the user, where the file has none or a wrong one.

/// Units for such a size, from smallest to largest.
inline constexpr std::array<std::string_view, 6> kStatedUnits{"nm", "µm", "mm", "cm", "m", "km"};

/// Accepted range of a side in its unit.
inline constexpr double kSmallestSide = 1e-9;
inline constexpr double kLargestSide = 1e9;

/// PixelSize::source of a size set for one image, and of one set for all images of a folder.
inline constexpr std::string_view kSetByHand = "set by hand";
inline constexpr std::string_view kSetForFolder = "set for this folder";

/// Entry of kStatedUnits for a typed unit: "um" and both micro signs give "µm". Nothing for other texts.
[[nodiscard]] std::optional<std::string_view> statedUnit(std::string_view text) noexcept;

/// Whether a side is in the accepted range; false for NaN.
[[nodiscard]] bool isStatedSide(double side) noexcept;

/// Width and height of a pixel of the image read, in pixels of the page at full resolution.
/// @param info of the level read
/// @param shrink as in ReadOptions
[[nodiscard]] std::pair<double, double> pixelScale(const ImageInfo& info, int shrink) noexcept;

/// Replaces the pixel size in @p info.
/// @param size of a pixel of the page at full resolution. Without a slice distance the file's is converted and kept, if
/// both units are lengths.
/// @param shrink applied to the size in @p info @param slices joined in one
void statePixelSize(ImageInfo& info, const PixelSize& size, int shrink, int slices = 1);

} // namespace pollard

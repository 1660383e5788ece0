#pragma once

#include "io/image_file.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

/// Micrometres per unit of length, in the spellings of microscopy programs ("µm", "micron", "nm", "mm", "inch", "Å"
/// ...); nothing for other units ("pixel").
[[nodiscard]] std::optional<double> micrometresOf(std::string_view unit);

/// Seconds per unit of time, in the spellings of OME, NGFF and FITS ("s", "ms", "µs", "minute", "h", "d" ...); nothing
/// for other units.
[[nodiscard]] std::optional<double> secondsOf(std::string_view unit);

/// Pixel size in µm for a resolution in pixels per @p unitMicrometres, marked as print resolution if both numbers are
/// typical of printers and screens (72 to 1200 dpi). Nothing unless both are positive and finite.
[[nodiscard]] std::optional<PixelSize> pixelSizeOfResolution(double xPerUnit, double yPerUnit, double unitMicrometres,
                                                             const std::string& source);

// Pixel sizes set by the user, for files without one or with a wrong one.

/// Units that the user can choose, from smallest to largest.
inline constexpr std::array<std::string_view, 6> kStatedUnits{"nm", "µm", "mm", "cm", "m", "km"};

/// Accepted range of a side in its unit.
inline constexpr double kSmallestSide = 1e-9;
inline constexpr double kLargestSide = 1e9;

/// PixelSize::source of a size set for one image, or for all images of a folder.
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
/// @param size of a pixel of the page at full resolution. Without a slice distance, keeps the distance of the file,
/// converted, if both units are lengths.
/// @param shrink factor already applied to the size in @p info @param slices averaged to one
void statePixelSize(ImageInfo& info, const PixelSize& size, int shrink, int slices = 1);

} // namespace pollard

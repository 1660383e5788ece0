#pragma once

#include "io/image_file.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

// The size of a pixel as a person states it, where the file states none or a wrong one.

/// Units that such a size is in, from the smallest to the largest.
inline constexpr std::array<std::string_view, 6> kStatedUnits{"nm", "µm", "mm", "cm", "m", "km"};

/// Sides of a pixel in such a unit that are accepted.
inline constexpr double kSmallestSide = 1e-9;
inline constexpr double kLargestSide = 1e9;

/// PixelSize::source of a size that was set for one picture, and of one that was set for all pictures of a folder.
inline constexpr std::string_view kSetByHand = "set by hand";
inline constexpr std::string_view kSetForFolder = "set for this folder";

/// The name in kStatedUnits of a typed unit: "um" and both micro signs are "µm". Nothing for other texts.
[[nodiscard]] std::optional<std::string_view> statedUnit(std::string_view text) noexcept;

/// Whether a side of a pixel lies in the accepted range; false for NaN.
[[nodiscard]] bool isStatedSide(double side) noexcept;

/// Width and height of a pixel of the picture that was read, in pixels of the page at full resolution.
/// @param info of the level that was read
/// @param shrink as in ReadOptions
[[nodiscard]] std::pair<double, double> pixelScale(const ImageInfo& info, int shrink) noexcept;

/// Replaces the pixel size that the file states.
/// @param size of a pixel of the page at full resolution. Without a distance of slices it keeps the file's, in its own
///             unit, where both units are lengths.
/// @param shrink that the file's size in @p info accounts for
void statePixelSize(ImageInfo& info, const PixelSize& size, int shrink);

} // namespace pollard

#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <optional>

namespace pollard {

/// Whether objects are brighter or darker than their surroundings.
enum class Polarity : std::uint8_t { bright, dark };

/// An image smoothed by a Gaussian filter of 0.7 px, of 0.7 of the smallest sides in a volume, and scaled linearly: 0
/// is the smallest value of the smoothed image, kFull the value that 99.9 % of the pixels do not exceed, kMost is the
/// largest number. All sums are whole numbers, so that a flipped or transposed image has flipped or transposed numbers.
/// For dark objects the image is inverted first.
struct Brightness {
    static constexpr std::uint32_t kSteps = 256; ///< numbers per level of `levels`
    static constexpr std::uint32_t kFull = 250 * kSteps;
    static constexpr std::uint32_t kMost = 255 * kSteps;

    Image levels;               ///< 8-bit: numbers / kSteps, rounded
    Buffer<std::uint16_t> fine; ///< the numbers, per pixel
};

/// O(pixels), parallel, independent of the number of threads.
/// @param inside pixels that count; the others are 0; null: all
/// @param mapping of the levels, whose ranks are converted to values
/// @throws Error(invalidArgument) for a mask of another size, Error(outOfMemory); Cancelled
[[nodiscard]] Brightness brightnessOf(const Image& image, const Mask* inside,
                                      const std::optional<ValueMapping>& mapping, Polarity polarity,
                                      const JobControl& control = {});

} // namespace pollard

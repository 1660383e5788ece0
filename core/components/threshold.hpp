#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace pollard {

/// Pixels per grey level; 8-bit images fill the first 256 entries.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] std::unique_ptr<std::array<std::uint64_t, 65536>> countLevels(const Image& image, const Mask* valid,
                                                                            const JobControl& control = {});

/// Otsu's threshold t (Otsu, "A threshold selection method from gray-level histograms", 1979): the split into the
/// levels below t and those from t on whose means lie farthest apart, weighted by the numbers of their pixels (largest
/// variance between the classes). Of several such splits, e.g. anywhere in a gap of the histogram, the smallest t.
/// @throws Error(invalidArgument) if less than two levels occur; Cancelled
[[nodiscard]] std::uint16_t otsuThreshold(const Image& image, const Mask* valid, const JobControl& control = {});

/// The pixels with @p low <= level <= @p high.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] Mask thresholdMask(const Image& image, std::uint16_t low, std::uint16_t high, const Mask* valid,
                                 const JobControl& control = {});

} // namespace pollard

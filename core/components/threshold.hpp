#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace pollard {

using LevelCounts = std::array<std::uint64_t, 65536>;

/// Histogram of the grey levels; 8-bit images use the first 256 entries.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] std::unique_ptr<LevelCounts> countLevels(const Image& image, const Mask* valid,
                                                       const JobControl& control = {});

/// The pixels with @p low <= level <= @p high. The mask of a volume has the rows of all slices.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] Mask thresholdMask(const Image& image, std::uint16_t low, std::uint16_t high, const Mask* valid,
                                 const JobControl& control = {});

} // namespace pollard

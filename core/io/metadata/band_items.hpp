#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Adds the facts of GDAL's metadata (tag 42112) about the bands, which are the samples of a page, to info.channels:
/// descriptions, colour interpretations, and central wavelengths in a unit of length (without a unit: µm below 100, nm
/// from there). The channels are to be arranged by arrangeChannels(). Never throws on content. Reads info.carried.
void describeBands(ImageInfo& info);

/// Scale, offset and unit that GDAL's metadata state for samples; nothing if they differ.
[[nodiscard]] std::optional<Calibration> bandCalibration(const std::vector<CopiedTag>& tags,
                                                         std::span<const int> samples);

} // namespace pollard

#pragma once

#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

/// A calibration by the numbers of a file; nothing if they are no straight line, or if it changes nothing.
[[nodiscard]] std::optional<Calibration> calibrationOf(double slope, double intercept, std::string unit);

/// The choice for samples that means @p choice, which is about values.
[[nodiscard]] MappingChoice inSamples(MappingChoice choice, const Calibration& calibration);

/// The mapping of unsigned samples that are levels; its minimum and maximum are the ends of the type.
[[nodiscard]] ValueMapping storedMapping(PixelType type, const Calibration& calibration);

/// Whether levels are turned round: they ascend with the values.
[[nodiscard]] inline bool turnsLevels(const std::optional<Calibration>& calibration) noexcept {
    return calibration && calibration->slope < 0;
}
/// The level that changes places with level 0 if levels are turned round.
[[nodiscard]] std::uint16_t lastLevelOf(const ValueMapping& mapping, PixelType type) noexcept;

/// Applies ImageInfo::calibration: the mapping is of values, and levels ascend with them. An image of samples that are
/// levels gets a mapping.
void calibrate(LoadedImage& loaded);

} // namespace pollard

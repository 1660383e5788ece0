#pragma once

#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_levels.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pollard {

/// The calibration for slope and intercept of a file; nothing if they are not a straight line or change nothing.
[[nodiscard]] std::optional<Calibration> calibrationOf(double slope, double intercept, std::string unit);

/// Converts a choice about values to the equivalent choice about samples.
[[nodiscard]] MappingChoice inSamples(MappingChoice choice, const Calibration& calibration);

/// The mapping of unsigned samples that are levels; its minimum and maximum are the ends of the type.
[[nodiscard]] ValueMapping storedMapping(PixelType type, const Calibration& calibration);

/// Whether levels are reversed so that they ascend with the values.
[[nodiscard]] inline bool turnsLevels(const std::optional<Calibration>& calibration) noexcept {
    return calibration && calibration->slope < 0;
}
/// The level that changes places with level 0 if levels are reversed.
[[nodiscard]] std::uint16_t lastLevelOf(const ValueMapping& mapping, PixelType type) noexcept;

/// Applies ImageInfo::calibration: the mapping then describes values, and levels ascend with them. An image whose
/// samples are levels gets a mapping.
void calibrate(LoadedImage& loaded);

/// Maps values to an image with its mask, and adds the facts about both to @p info.
/// @throws Error(invalidArgument) for an invalid mapping choice, naming the file; Cancelled
[[nodiscard]] LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                                        const ValueGaps& gaps, ImageInfo info, const JobControl& control);

/// Adds a note if the automatic choice gave different values the same level; replaces an earlier note about it.
void noteLostValues(const MappingChoice& choice, ImageInfo& info);

/// Adds the facts about the values of another part with the same mapping.
void addValues(std::optional<ValueMapping>& all, const std::optional<ValueMapping>& part);

/// @p mask, or null if all its pixels are set; sets @p invalid to the number of unset pixels.
[[nodiscard]] std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid);

/// Range of the levels of valid pixels.
struct ValidLevels {
    std::uint64_t invalid = 0;  ///< pixels that are not valid
    bool none = true;           ///< no pixel is valid; smallest and largest are then 0
    std::uint16_t smallest = 0; ///< of a valid pixel
    std::uint16_t largest = 0;

    /// Adds the levels of another part of the image.
    void join(const ValidLevels& part) noexcept;

    bool operator==(const ValidLevels&) const = default;
};

[[nodiscard]] ValidLevels validLevelsOf(const LoadedImage& part);

} // namespace pollard

#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/samples/no_data.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace pollard {

class ValueStatistics;

[[nodiscard]] std::size_t bytesOf(ValueType type) noexcept;
/// 8-bit levels for bytes, else 16-bit levels.
[[nodiscard]] PixelType levelTypeOf(ValueType type) noexcept;

/// Samples of shape (height, width), row-major without padding, in host byte order, aligned for their type.
struct ValueGrid {
    ValueType type = ValueType::f32;
    const void* data = nullptr;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Calibration scale = {};               ///< without a unit
    std::optional<ValueType> stored = {}; ///< type in the file, if the grid has a wider one

    [[nodiscard]] ValueType storedType() const noexcept { return stored.value_or(type); }
};

/// Pixels without data besides NaN. They are excluded from range and counts, and get the level nearest to their value.
struct ValueGaps {
    std::optional<NoData> noData;
    std::shared_ptr<const Mask> valid; ///< pixels with data; null if all have
};

struct MappedLevels {
    std::shared_ptr<Image> image;
    std::shared_ptr<const Mask> valid; ///< null if all pixels have data
    ValueMapping mapping;
    std::uint64_t invalidPixels = 0;
};

/// Maps values to levels according to MappingChoice and ValueMapping, on all threads of the caller's arena. The result
/// does not depend on the number of threads. Quantiles are exact: the value of rank round(q * (n - 1)) among the n
/// finite valid values. A range of one value (low = high) has step 1: the value and smaller values become level 0,
/// larger values the highest level. -0 is 0, and infinite values have ranks of their own. `exact` is set if different
/// values have different levels. Allocates the image and, for gaps, a mask; O(pixels), with an additional pass to count
/// different values, which ends as soon as there are too many, and one per 16 bits of the type for quantiles.
/// @param statistics of the whole image if @p values is a region; else null
/// @throws Error(invalidArgument) as checkMapping(); Cancelled
[[nodiscard]] MappedLevels levelsOfValues(const ValueGrid& values, const MappingChoice& choice,
                                          const ValueGaps& gaps = {}, const JobControl& control = {},
                                          ValueStatistics* statistics = nullptr);

/// @throws Error(invalidArgument) unless quantiles satisfy 0 <= low < high <= 1 and fixed values are finite with low <=
/// high
void checkMapping(const MappingChoice& choice);

} // namespace pollard

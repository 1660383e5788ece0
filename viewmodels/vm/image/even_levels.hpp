#pragma once

#include "vm/image/level_histogram.hpp"

#include "image/image.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Levels for display: where levels are ranks of values, displayed levels are in proportion to the values, so that
/// tones and histograms follow these. Levels of other images are displayed as they are.
using EvenLevels = std::shared_ptr<const std::vector<std::uint16_t>>;

/// The displayed level of every level, from 0 for the smallest value to @p last for the largest; null if levels are
/// displayed as they are.
[[nodiscard]] EvenLevels evenLevelsOf(const std::optional<ValueMapping>& mapping, std::uint16_t last);

/// How displayed levels belong to values.
[[nodiscard]] std::optional<ValueMapping> evenMappingOf(std::optional<ValueMapping> mapping, std::uint16_t last);

/// The image or volume in displayed levels; itself without ranks.
[[nodiscard]] std::shared_ptr<const Image> inEvenLevels(std::shared_ptr<const Image> image,
                                                        const std::optional<ValueMapping>& mapping);
[[nodiscard]] LevelHistogram inEvenLevels(LevelHistogram histogram, const std::optional<ValueMapping>& mapping);

} // namespace pollard::vm

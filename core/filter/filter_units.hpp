#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>

namespace pollard {

/// Whether any bound has a unit other than px.
[[nodiscard]] bool hasUnits(const FilterSpec& spec) noexcept;

/// Why the criterion cannot be applied at this pixel size, "criterion 'area>=15um2': the picture has no pixel size
/// ..."; empty if it can.
[[nodiscard]] std::string unitProblem(const Criterion& criterion, const std::optional<PixelSize>& size);

/// Converts the bounds to pixels, as engines require.
/// @param size of a pixel of the picture
/// @throws Error(invalidArgument) with the first unitProblem()
[[nodiscard]] FilterSpec inPixels(FilterSpec spec, const std::optional<PixelSize>& size);
[[nodiscard]] Criterion inPixels(const Criterion& criterion, const std::optional<PixelSize>& size);

/// Why the criterion cannot be applied to such a picture or volume: its unitProblem() or measureProblem(); bounds of
/// volumes have no units. Empty if it can.
[[nodiscard]] std::string criterionProblem(const Criterion& criterion, const std::optional<PixelSize>& size,
                                           bool isVolume);

/// As inPixels(), but drops criteria with a criterionProblem().
[[nodiscard]] FilterSpec inPixelsWherePossible(FilterSpec spec, const std::optional<PixelSize>& size, bool isVolume);

} // namespace pollard

#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>

namespace pollard {

/// Whether a bound is in another unit than px.
[[nodiscard]] bool hasUnits(const FilterSpec& spec) noexcept;

/// Why the criterion has no meaning for a picture with this pixel size, "criterion 'area>=15um2': the picture has no
/// pixel size ..."; empty if it has one.
[[nodiscard]] std::string unitProblem(const Criterion& criterion, const std::optional<PixelSize>& size);

/// The same filter with bounds in pixels, as engines take it.
/// @param size of a pixel of the picture that is filtered
/// @throws Error(invalidArgument) with unitProblem() of the first criterion that has one
[[nodiscard]] FilterSpec inPixels(FilterSpec spec, const std::optional<PixelSize>& size);
[[nodiscard]] Criterion inPixels(const Criterion& criterion, const std::optional<PixelSize>& size);

/// The same, where criteria that have no meaning for the picture take no part.
[[nodiscard]] FilterSpec inPixelsWherePossible(FilterSpec spec, const std::optional<PixelSize>& size);

} // namespace pollard

#pragma once

#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// A bound as a person writes it. A strict bound is stored as the next double, see parseCriterion().
struct WrittenBound {
    double value = 0;
    int beyond = 0; ///< 1: strictly above the value, -1: strictly below it, 0: the value itself

    /// Interprets a double next to a number of at most 12 digits as a strict bound at that number.
    [[nodiscard]] static WrittenBound of(double bound) noexcept;
};

/// Why lengths, areas or volumes of the scene cannot be converted to pixels of this size, in one line for the user.
/// Empty if they can: the size is known, not a print resolution, in a unit of length, for lengths equal along both axes
/// to 0.1 %, and for volumes with the distance of slices.
[[nodiscard]] std::string whyNoScene(const std::optional<PixelSize>& size, Dimension dimension);

/// Converts a length, an area or a volume of the scene to pixels: areas with the product of both sides, volumes with
/// the product of all three, lengths with the geometric mean of both. Exact for decimal numbers: 15 µm² are 1500 px of
/// 0.1 µm, not 1499.9999999999998. Strict bounds stay strict.
/// @param size with an empty whyNoScene(); ignored for pixels
[[nodiscard]] double pixelsOf(double value, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept;

/// Converts pixels to a unit.
[[nodiscard]] double inUnit(double pixels, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept;

/// Number with the fewest digits that pixelsOf() converts back to @p pixels (to 12 digits if @p pixels is not an
/// integer).
[[nodiscard]] double shortestInUnit(double pixels, LengthUnit unit, Dimension dimension,
                                    const PixelSize& size) noexcept;

/// The unit in which a length of ten pixels is easy to read: at least 1 if there is a unit that small. Pixels unless
/// whyNoScene() is empty for lengths.
[[nodiscard]] LengthUnit readableUnit(const std::optional<PixelSize>& size);

/// Pixels, then the units in which numbers of this image are readable; only pixels unless whyNoScene() is empty.
[[nodiscard]] std::vector<LengthUnit> readableUnits(const std::optional<PixelSize>& size, Dimension dimension);

} // namespace pollard

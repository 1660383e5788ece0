#pragma once

#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// A bound as it was written: a strict one is stored as the next double, see parseCriterion().
struct WrittenBound {
    double value = 0;
    int beyond = 0; ///< 1: above the value, -1: below it, 0: the value itself

    /// Takes a double whose neighbour has at most 15 digits for a strict bound at that neighbour.
    [[nodiscard]] static WrittenBound of(double bound) noexcept;
};

/// Why no length or area of the scene can be given in pixels of this size, one line for a person; empty if it can: the
/// size is known, no resolution for printing, in a unit of length, and for lengths the same along both axes to 0.1 %.
[[nodiscard]] std::string whyNoScene(const std::optional<PixelSize>& size, Dimension dimension);

/// A length or an area of the scene in pixels; areas by the product of both sides, lengths by their geometric mean.
/// Exact for decimal numbers: 15 µm² are 1500 px of 0.1 µm, not 1499.9999999999998. A strict bound stays one.
/// @param size whyNoScene() has nothing against it; not looked at for pixels
[[nodiscard]] double pixelsOf(double value, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept;

/// Pixels in a unit.
[[nodiscard]] double inUnit(double pixels, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept;

/// The number with the fewest digits that pixelsOf() turns into @p pixels again (of pixels that are no whole number:
/// to 12 digits).
[[nodiscard]] double shortestInUnit(double pixels, LengthUnit unit, Dimension dimension,
                                    const PixelSize& size) noexcept;

/// The unit in which lengths of ten pixels have a number that is easy to read: at least 1 where there is a unit that
/// small. Pixels if whyNoScene() has something against lengths.
[[nodiscard]] LengthUnit readableUnit(const std::optional<PixelSize>& size);

/// Pixels first, then the units that numbers of this picture are readable in; only pixels if whyNoScene() has something
/// against it.
[[nodiscard]] std::vector<LengthUnit> readableUnits(const std::optional<PixelSize>& size, Dimension dimension);

} // namespace pollard

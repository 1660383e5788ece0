#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <utility>

namespace pollard {

/// Units of the lengths and the values of an image.
struct ImageUnits {
    ImageUnits() = default;
    // NOLINTBEGIN(google-explicit-constructor): most images are known by their facts
    ImageUnits(const ImageInfo& info, bool inVolume = false)
        : pixelSize(info.pixelSize), mapping(info.mapping), isVolume(inVolume) {}
    ImageUnits(std::optional<PixelSize> size, std::optional<ValueMapping> values, bool inVolume = false)
        : pixelSize(std::move(size)), mapping(std::move(values)), isVolume(inVolume) {}
    // NOLINTEND(google-explicit-constructor)

    std::optional<PixelSize> pixelSize;
    std::optional<ValueMapping> mapping; ///< unset if levels are values
    bool isVolume = false;
};

/// The side of a pixel or voxel along which an attribute is measured, as the sides of a square pixel; for areas of
/// pixels and numbers of voxels the size itself. In volumes axes, the diagonal and the surface count widths of a voxel.
[[nodiscard]] PixelSize sizeFor(AttributeId id, PixelSize size, bool isVolume) noexcept;
/// Reason, in one line, why an attribute has no unit of length in such an image. Empty if it has a unit: its dimension
/// is not none, and whyNoScene() is empty (for a volume, in its version for volumes).
[[nodiscard]] std::string whyNoUnit(AttributeId id, const std::optional<PixelSize>& size, bool isVolume);

/// Whether any bound has a unit of length other than px.
[[nodiscard]] bool hasUnits(const FilterSpec& spec) noexcept;

/// Whether the filter uses distances of levels as distances of values, see requireProportional().
[[nodiscard]] bool needsProportional(const FilterSpec& spec) noexcept;

/// Reason why the criterion cannot be applied to an image with these units, "criterion 'area>=15um2': the image has no
/// pixel size ..."; empty if it can.
[[nodiscard]] std::string unitProblem(const Criterion& criterion, const ImageUnits& units);

/// Converts the bounds to the numbers of AttributeColumn, as engines require: lengths to pixels, values to levels.
/// @throws Error(invalidArgument) with the first unitProblem()
[[nodiscard]] FilterSpec inPixels(FilterSpec spec, const ImageUnits& units);
[[nodiscard]] Criterion inPixels(const Criterion& criterion, const ImageUnits& units);

/// Reason why the criterion cannot be applied to such an image or volume: its measureProblem() or unitProblem(). Empty
/// if it can.
[[nodiscard]] std::string criterionProblem(const Criterion& criterion, const ImageUnits& units);

/// As inPixels(), but drops criteria with a criterionProblem(), and a forest that asks about one.
[[nodiscard]] FilterSpec inPixelsWherePossible(FilterSpec spec, const ImageUnits& units);

} // namespace pollard

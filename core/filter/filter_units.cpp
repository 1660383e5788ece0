#include "filter/filter_units.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// A bound of values, which is strict if it lies next to a short number, as one of the column.
double columnBoundOf(AttributeId id, double bound, bool isLower, const std::optional<ValueMapping>& mapping) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!mapping) {
        return bound;
    }
    const WrittenBound written = WrittenBound::of(bound);
    const bool isStrict = isLower ? written.beyond > 0 : written.beyond < 0;
    if (!isStrict) {
        return columnBound(id, bound, isLower, mapping);
    }
    return std::nextafter(columnBound(id, written.value, !isLower, mapping), isLower ? kInfinity : -kInfinity);
}

} // namespace

bool hasUnits(const FilterSpec& spec) noexcept {
    return std::ranges::any_of(spec.criteria, [](const Criterion& each) { return each.unit != LengthUnit::pixel; });
}

bool needsProportional(const FilterSpec& spec) noexcept {
    return spec.output == Output::residue || (spec.output == Output::filtered && spec.rule == Rule::subtractive);
}

std::string unitProblem(const Criterion& criterion, const PictureUnits& units) {
    const AttributeInfo& info = attributeInfo(criterion.attribute);
    std::string why;
    if (criterion.unit != LengthUnit::pixel) {
        why = info.dimension == Dimension::none ? "the attribute takes no unit of length"
                                                : whyNoScene(units.pixelSize, info.dimension);
    } else if (info.grey != Grey::none && !criterion.grey.empty() && criterion.grey != kLevels) {
        if (const std::string unit = unitOf(units.mapping); criterion.grey != unit) {
            why = "the values of the picture " + (unit.empty() ? "have no unit" : "are in " + unit);
        }
    }
    return why.empty() ? why : "criterion '" + toString(criterion) + "': " + why;
}

Criterion inPixels(const Criterion& criterion, const PictureUnits& units) {
    if (const std::string why = unitProblem(criterion, units); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, why);
    }
    Criterion bounds{criterion.attribute, criterion.minimum, criterion.maximum};
    if (criterion.unit != LengthUnit::pixel) {
        const Dimension dimension = attributeInfo(criterion.attribute).dimension;
        bounds.minimum = pixelsOf(criterion.minimum, criterion.unit, dimension, *units.pixelSize);
        bounds.maximum = pixelsOf(criterion.maximum, criterion.unit, dimension, *units.pixelSize);
    } else if (criterion.grey == kLevels) {
        bounds.grey = kLevels;
    } else if (units.mapping && attributeInfo(criterion.attribute).grey != Grey::none) {
        bounds.minimum = columnBoundOf(criterion.attribute, criterion.minimum, true, units.mapping);
        bounds.maximum = columnBoundOf(criterion.attribute, criterion.maximum, false, units.mapping);
        bounds.grey = isColumnInValues(criterion.attribute, *units.mapping) ? std::string_view() : kLevels;
    }
    return bounds;
}

FilterSpec inPixels(FilterSpec spec, const PictureUnits& units) {
    for (Criterion& criterion : spec.criteria) {
        criterion = inPixels(criterion, units);
    }
    return spec;
}

std::string criterionProblem(const Criterion& criterion, const PictureUnits& units, bool isVolume) {
    const bool hasUnit = criterion.unit != LengthUnit::pixel;
    const std::string why = isVolume && hasUnit ? "bounds of volumes take no unit of length"
                                                : measureProblem(criterion.attribute, isVolume);
    return why.empty() ? unitProblem(criterion, units) : "criterion '" + toString(criterion) + "': " + why;
}

FilterSpec inPixelsWherePossible(FilterSpec spec, const PictureUnits& units, bool isVolume) {
    std::erase_if(spec.criteria,
                  [&](const Criterion& criterion) { return !criterionProblem(criterion, units, isVolume).empty(); });
    return inPixels(std::move(spec), units);
}

} // namespace pollard

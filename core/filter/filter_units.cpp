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

namespace pollard {

namespace {

/// A bound of values, which is strict if it lies next to a short number and is no sample, as one of the column.
double columnBoundOf(AttributeId id, double bound, bool isLower, const std::optional<ValueMapping>& mapping) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!mapping) {
        return bound;
    }
    const WrittenBound written = WrittenBound::of(bound);
    const bool isStrict = (isLower ? written.beyond > 0 : written.beyond < 0) && !mapping->isSample(bound);
    if (!isStrict) {
        return columnBound(id, bound, isLower, mapping);
    }
    return std::nextafter(columnBound(id, written.value, !isLower, mapping), isLower ? kInfinity : -kInfinity);
}

} // namespace

bool hasUnits(const FilterSpec& spec) noexcept {
    return anyCriterion(spec, [](const Criterion& each) { return each.unit != LengthUnit::pixel; });
}

bool needsProportional(const FilterSpec& spec) noexcept {
    return spec.output == Output::residue || (spec.output == Output::filtered && spec.rule == Rule::subtractive);
}

PixelSize sizeFor(AttributeId id, PixelSize size, bool isVolume) noexcept {
    if (!isVolume || dimensionOf(id, true) == Dimension::volume) {
        return size;
    }
    const bool isAcross = id == AttributeId::heightPx || id == AttributeId::centroidY;
    const bool isDeep = id == AttributeId::slicesPx || id == AttributeId::centroidZ;
    size.x = size.y = isAcross ? size.y : isDeep ? size.z : size.x;
    return size;
}

std::string whyNoUnit(AttributeId id, const std::optional<PixelSize>& size, bool isVolume) {
    const Dimension dimension = dimensionOf(id, isVolume);
    return dimension == Dimension::none ? "the attribute takes no unit of length"
                                        : whyNoScene(size, isVolume ? Dimension::volume : dimension);
}

std::string unitProblem(const Criterion& criterion, const ImageUnits& units) {
    const AttributeInfo& info = attributeInfo(criterion.attribute);
    std::string why;
    if (criterion.unit != LengthUnit::pixel) {
        why = whyNoUnit(info.id, units.pixelSize, units.isVolume);
        if (criterion.cubed != (dimensionOf(info.id, units.isVolume) == Dimension::volume)) {
            why = criterion.cubed ? "the image has no volumes: give an area, such as mm2"
                                  : "in a volume '" + std::string(info.name) + "' is a volume: give for instance mm3";
        }
    } else if (info.grey != Grey::none && !criterion.grey.empty() && criterion.grey != kLevels) {
        if (const std::string unit = unitOf(units.mapping); criterion.grey != unit) {
            why = "the values of the image " + (unit.empty() ? "have no unit" : "are in " + unit);
        }
    }
    return why.empty() ? why : "criterion '" + toString(criterion) + "': " + why;
}

Criterion inPixels(const Criterion& criterion, const ImageUnits& units) {
    if (const std::string why = unitProblem(criterion, units); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, why);
    }
    Criterion bounds{criterion.attribute, criterion.minimum, criterion.maximum};
    if (criterion.unit != LengthUnit::pixel) {
        const Dimension dimension = dimensionOf(criterion);
        const PixelSize size = sizeFor(criterion.attribute, *units.pixelSize, units.isVolume);
        bounds.minimum = pixelsOf(criterion.minimum, criterion.unit, dimension, size);
        bounds.maximum = pixelsOf(criterion.maximum, criterion.unit, dimension, size);
    } else if (criterion.grey == kLevels) {
        bounds.grey = kLevels;
    } else if (units.mapping && attributeInfo(criterion.attribute).grey != Grey::none) {
        bounds.minimum = columnBoundOf(criterion.attribute, criterion.minimum, true, units.mapping);
        bounds.maximum = columnBoundOf(criterion.attribute, criterion.maximum, false, units.mapping);
        bounds.grey = isColumnInValues(criterion.attribute, *units.mapping) ? std::string_view() : kLevels;
    }
    return bounds;
}

namespace {

/// A condition on differences of attributes, with bounds as differences of the column.
Criterion differenceIn(Criterion difference, const ImageUnits& units) {
    const AttributeId id = difference.attribute;
    const double step = columnValue(id, 1, units.mapping) - columnValue(id, 0, units.mapping);
    const bool isInColumn = difference.grey == kLevels || attributeInfo(id).grey == Grey::none;
    const std::string grey = inPixels(difference, units).grey; // refuses another unit
    difference.minimum = isInColumn ? difference.minimum : difference.minimum / step;
    difference.maximum = isInColumn ? difference.maximum : difference.maximum / step;
    difference.grey = grey;
    return difference;
}

} // namespace

FilterSpec inPixels(FilterSpec spec, const ImageUnits& units) {
    for (Criterion& criterion : spec.criteria) {
        criterion = inPixels(criterion, units);
    }
    for (DecisionTree& tree : spec.forest.trees) {
        for (ForestNode& node : tree) {
            node.condition = node.around == 1 ? inPixels(node.condition, units) : differenceIn(node.condition, units);
        }
    }
    return spec;
}

std::string criterionProblem(const Criterion& criterion, const ImageUnits& units) {
    const std::string why = measureProblem(criterion.attribute, units.isVolume);
    return why.empty() ? unitProblem(criterion, units) : "criterion '" + toString(criterion) + "': " + why;
}

FilterSpec inPixelsWherePossible(FilterSpec spec, const ImageUnits& units) {
    const auto hasProblem = [&](const Criterion& criterion) { return !criterionProblem(criterion, units).empty(); };
    std::erase_if(spec.criteria, hasProblem);
    if (anyCriterion(spec, hasProblem)) { // of the forest
        spec.forest = {};
    }
    return inPixels(std::move(spec), units);
}

} // namespace pollard

#include "filter/filter_units.hpp"

#include "base/error.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pollard {

bool hasUnits(const FilterSpec& spec) noexcept {
    return std::ranges::any_of(spec.criteria, [](const Criterion& each) { return each.unit != LengthUnit::pixel; });
}

std::string unitProblem(const Criterion& criterion, const std::optional<PixelSize>& size) {
    if (criterion.unit == LengthUnit::pixel) {
        return {};
    }
    const Dimension dimension = attributeInfo(criterion.attribute).dimension;
    const std::string why =
        dimension == Dimension::none ? "the attribute takes no unit of length" : whyNoScene(size, dimension);
    return why.empty() ? why : "criterion '" + toString(criterion) + "': " + why;
}

Criterion inPixels(const Criterion& criterion, const std::optional<PixelSize>& size) {
    if (criterion.unit == LengthUnit::pixel) {
        return criterion;
    }
    if (const std::string why = unitProblem(criterion, size); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, why);
    }
    const Dimension dimension = attributeInfo(criterion.attribute).dimension;
    return {criterion.attribute, pixelsOf(criterion.minimum, criterion.unit, dimension, *size),
            pixelsOf(criterion.maximum, criterion.unit, dimension, *size), LengthUnit::pixel};
}

FilterSpec inPixels(FilterSpec spec, const std::optional<PixelSize>& size) {
    for (Criterion& criterion : spec.criteria) {
        criterion = inPixels(criterion, size);
    }
    return spec;
}

std::string criterionProblem(const Criterion& criterion, const std::optional<PixelSize>& size, bool isVolume) {
    const bool hasUnit = criterion.unit != LengthUnit::pixel;
    const std::string why = isVolume && hasUnit ? "bounds of volumes take no unit of length"
                                                : measureProblem(criterion.attribute, isVolume);
    return why.empty() ? unitProblem(criterion, size) : "criterion '" + toString(criterion) + "': " + why;
}

FilterSpec inPixelsWherePossible(FilterSpec spec, const std::optional<PixelSize>& size, bool isVolume) {
    std::erase_if(spec.criteria,
                  [&](const Criterion& criterion) { return !criterionProblem(criterion, size, isVolume).empty(); });
    return inPixels(std::move(spec), size);
}

} // namespace pollard

#include "filter/filter_columns.hpp"

#include "base/error.hpp"

namespace pollard {

void requirePixels(const FilterSpec& spec) {
    for (const Criterion& criterion : spec.criteria) {
        if (criterion.unit != LengthUnit::pixel) {
            throw Error(ErrorCode::invalidArgument,
                        "filter: criterion '" + toString(criterion) + "' is not in pixels: inPixels() was not applied");
        }
        if (!criterion.grey.empty() && criterion.grey != kLevels) {
            throw Error(ErrorCode::invalidArgument, "filter: criterion '" + toString(criterion) +
                                                        "' is in a unit of values: inPixels() was not applied");
        }
    }
}

AttributeId attributeOf(Prominence measure) noexcept {
    switch (measure) {
    case Prominence::dynamics:
        break;
    case Prominence::extinctionArea:
        return AttributeId::extinctionArea;
    case Prominence::extinctionVolume:
        return AttributeId::extinctionVolume;
    }
    return AttributeId::dynamics;
}

} // namespace pollard

#include "filter/filter_columns.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace pollard {

void requirePixels(const FilterSpec& spec) {
    forEachCriterion(spec, [](const Criterion& criterion) {
        if (criterion.unit != LengthUnit::pixel) {
            throw Error(ErrorCode::invalidArgument,
                        "filter: criterion '" + toString(criterion) + "' is not in pixels: inPixels() was not applied");
        }
        if (!criterion.grey.empty() && criterion.grey != kLevels) {
            throw Error(ErrorCode::invalidArgument, "filter: criterion '" + toString(criterion) +
                                                        "' is in a unit of values: inPixels() was not applied");
        }
    });
}

std::vector<AttributeId> attributesOf(const Forest& forest) {
    std::vector<AttributeId> ids;
    const auto add = [&](AttributeId id) {
        if (std::ranges::find(ids, id) == ids.end()) {
            ids.push_back(id);
        }
    };
    for (const DecisionTree& tree : forest.trees) {
        for (const ForestNode& node : tree) {
            add(node.condition.attribute);
            if (node.around > 1) {
                add(AttributeId::area);
            }
        }
    }
    return ids;
}

std::vector<AttributeId> attributesOf(const FilterSpec& spec) {
    std::vector<AttributeId> ids;
    (void)columnsOf(spec, [&](AttributeId id) -> std::shared_ptr<const AttributeColumn> {
        ids.push_back(id);
        return nullptr;
    });
    return ids;
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

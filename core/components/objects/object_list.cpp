#include "components/objects/object_list.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

constexpr std::uint8_t kLeftOut = 0;
constexpr std::uint8_t kListed = 1;
constexpr std::uint8_t kAtBorder = 2; ///< left out only because it touches the border

struct KeyedLabel {
    double key;
    std::uint32_t label;
};

} // namespace

EdgeMeasure edgeMeasureOf(const ObjectListSpec& spec) noexcept {
    const EdgeMeasure key = spec.keys == nullptr ? spec.key.edge() : EdgeMeasure::none;
    return std::max(key, spec.condition.edgeMeasure());
}

ObjectList listObjects(const Components& components, const ObjectListSpec& spec, const JobControl& control,
                       const std::optional<ValueMapping>& values) {
    const ObjectEdges edges = measureEdges(components, edgeMeasureOf(spec), control);
    ObjectUnit unit;
    unit.values = values;
    return listObjects(MeasuredObjects(components, &edges, unit), spec, control);
}

ObjectList listObjects(const MeasuredObjects& objects, const ObjectListSpec& spec, const JobControl& control) {
    if (spec.condition.hasUnits()) {
        throw Error(ErrorCode::invalidArgument,
                    "list objects: the condition is not in pixels: inPixels() was not applied");
    }
    if (!spec.condition.hasColumns()) {
        throw Error(ErrorCode::invalidArgument, "list objects: the condition names '" +
                                                    spec.condition.columns().front() +
                                                    "', and no channels are measured");
    }
    const std::size_t count = objects.size();
    const bool sorts = spec.key != ObjectFeature::label || spec.descending || spec.keys != nullptr;
    const ObjectColumn* const column = findColumn(spec.columns, spec.key.column);
    const auto keyOf = [&](std::uint32_t label) {
        return spec.keys != nullptr ? static_cast<double>((*spec.keys)[label - 1])
               : column != nullptr  ? column->valueOf(label)
                                    : objects.value(label, spec.key.feature);
    };
    std::vector<std::uint8_t> listed(count, kLeftOut);
    std::vector<double> keys(sorts ? count : 0);
    forEachIndex(
        count, control,
        [&](std::size_t i) {
            const auto label = static_cast<std::uint32_t>(i + 1);
            const bool removed = spec.removed != nullptr && (*spec.removed)[i] != 0;
            const bool meets = !removed && objects.holds(spec.condition, label, spec.side);
            const bool atBorder = meets && spec.withoutBorder && objects.touchesBorder(label, spec.borderXy);
            listed[i] = atBorder ? kAtBorder : meets ? kListed : kLeftOut;
            if (sorts) {
                const double key = keyOf(label);
                keys[i] = std::isnan(key) ? std::numeric_limits<double>::infinity() : spec.descending ? -key : key;
            }
        },
        kObjectsPerTask);
    std::vector<KeyedLabel> order;
    order.reserve(count);
    ObjectList list;
    for (std::size_t i = 0; i < count; ++i) {
        list.atBorder += listed[i] == kAtBorder ? 1 : 0;
        if (listed[i] == kListed) {
            const auto label = static_cast<std::uint32_t>(i + 1);
            order.push_back({sorts ? keys[i] : 0, label});
            list.pixels += objects.record(label).area;
        }
    }
    control.throwIfStopped();
    if (sorts) {
        tbb::parallel_sort(order.begin(), order.end(), [](const KeyedLabel& a, const KeyedLabel& b) {
            return a.key < b.key || (a.key == b.key && a.label < b.label);
        });
    }
    list.labels.resize(order.size());
    list.rows.assign(count, ObjectList::kNoRow);
    for (std::size_t row = 0; row < order.size(); ++row) {
        list.labels[row] = order[row].label;
        list.rows[order[row].label - 1] = static_cast<std::uint32_t>(row);
    }
    return list;
}

} // namespace pollard

#include "components/objects/measured_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace pollard {

MeasuredObject MeasuredObjects::object(std::uint32_t label) const noexcept {
    const std::uint32_t number = components_->numberOf(label);
    return components_->isVolume()
               ? MeasuredObject(record(label), components_->depths[label - 1], label, unit_,
                                components_->connectivity != Connectivity::eighteen, valueSum(label), shape(label))
                     .numbered(number)
               : MeasuredObject(record(label), label, unit_, shape(label), valueSum(label)).numbered(number);
}

bool MeasuredObjects::holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept {
    return components_->isVolume() ? condition.holds(object(label))
                                   : condition.holds(MeasuredObject(record(label), label, side, shape(label),
                                                                    ObjectGrey(unit_.values, valueSum(label)))
                                                         .numbered(components_->numberOf(label)),
                                                     side);
}

bool MeasuredObjects::touchesBorder(std::uint32_t label, bool inXy) const noexcept {
    return components_->isVolume() && !inXy ? components_->depths[label - 1].border > 0
                                            : pollard::touchesBorder(*components_, record(label));
}

void sumValues(Components& components, const Image& grey, const std::optional<ValueMapping>& mapping,
               const JobControl& control) {
    if (!mapping || !mapping->ranks || components.objects.empty()) {
        return;
    }
    if (components.labels.empty()) {
        throw Error(ErrorCode::invalidArgument, "sum of grey values: there is no label image");
    }
    const std::vector<double>& values = mapping->ranks->values;
    components.valueSums.assign(components.count, 0);
    dispatch(grey.type(), [&]<class Pixel>(Pixel) {
        const std::span<const Pixel> levels = grey.pixels<Pixel>();
        constexpr std::size_t kPixelsPerCheck = 1U << 20U;
        for (std::size_t i = 0; i < components.labels.size(); ++i) {
            if (i % kPixelsPerCheck == 0) {
                control.throwIfStopped();
            }
            if (const std::uint32_t label = components.labels[i]; label != 0) {
                components.valueSums[label - 1] += values[levels[i]];
            }
        }
    });
}

bool touchesBorder(const Components& components, const ComponentRecord& object) noexcept {
    return object.left == 0 || object.top == 0 || object.right + 1 == components.width ||
           object.bottom + 1 == components.height;
}

LabelProperties labelProperties(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                std::span<const ObjectFeatureInfo> features, std::span<const ObjectColumn> further) {
    const ObjectUnit& unit = objects.unit();
    std::vector<ObjectFeatureInfo> measured;
    LabelProperties table;
    const Components& components = objects.components();
    std::ranges::transform(labels, std::back_inserter(table.labels),
                           [&](std::uint32_t label) { return components.numberOf(label); });
    for (const ObjectFeatureInfo& feature : features) {
        if (feature.feature != ObjectFeature::label) {
            table.names.push_back(columnOf(feature, unit.unit));
            measured.push_back(feature);
        }
    }
    for (const ObjectColumn& column : further) {
        table.names.push_back(column.name);
    }
    table.value = [&objects, measured = std::move(measured), further](std::size_t column, std::uint32_t number) {
        using Value = LabelProperties::Value;
        const std::uint32_t label = objects.components().labelOf(number);
        if (column < measured.size()) {
            const ObjectFeatureInfo& feature = measured[column];
            const double value = objects.value(label, feature.feature);
            constexpr double kExact = 0x1p53;
            const bool isInteger = isWhole(feature, objects.unit()) && std::abs(value) <= kExact;
            return isInteger ? Value(static_cast<std::int64_t>(value))
                             : Value(tableValue(value, feature, objects.unit().unit));
        }
        const ObjectColumn& own = further[column - measured.size()];
        if (!own.classes) {
            return Value(own.valueOf(label));
        }
        const ObjectClass* const found = own.classes->classOf(label);
        return found != nullptr ? Value(found->name) : Value();
    };
    return table;
}

namespace {

constexpr std::uint8_t kLeftOut = 0;
constexpr std::uint8_t kListed = 1;
constexpr std::uint8_t kAtBorder = 2; ///< excluded only because it touches the border

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
    const ObjectEdges edges = measureEdges(components, edgeMeasureOf(spec), control, spec.proportions);
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
            const bool meets =
                !removed && objects.record(label).area != 0 && objects.holds(spec.condition, label, spec.side);
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

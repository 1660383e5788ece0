#include "components/objects/measured_objects.hpp"

#include "base/error.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace pollard {

MeasuredObject MeasuredObjects::object(std::uint32_t label) const noexcept {
    return components_->isVolume()
               ? MeasuredObject(record(label), components_->depths[label - 1], label, unit_,
                                components_->connectivity != Connectivity::eighteen, valueSum(label))
               : MeasuredObject(record(label), label, unit_, edge(label), valueSum(label));
}

bool MeasuredObjects::holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept {
    return components_->isVolume() ? condition.holds(object(label))
                                   : condition.holds(MeasuredObject(record(label), label, side, edge(label),
                                                                    ObjectGrey(unit_.values, valueSum(label))),
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
    table.labels.assign(labels.begin(), labels.end());
    for (const ObjectFeatureInfo& feature : features) {
        if (feature.feature != ObjectFeature::label) {
            table.names.push_back(columnOf(feature, unit.unit));
            measured.push_back(feature);
        }
    }
    for (const ObjectColumn& column : further) {
        table.names.push_back(column.name);
    }
    table.value = [&objects, measured = std::move(measured), further](std::size_t column, std::uint32_t label) {
        using Value = LabelProperties::Value;
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

} // namespace pollard

#include "vm/recipe/object_chart_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace pollard::vm {

namespace {

/// The feature of the y axis if none is chosen.
ObjectFeature usualSecond() { return describesVolumes() ? ObjectFeature::sphericity : ObjectFeature::circularity; }

} // namespace

ObjectChartModel::ObjectChartModel(ObjectTableModel& table, QObject* parent) : QObject(parent), table_(table) {
    connect(&table_, &ObjectTableModel::listingChanged, this, &ObjectChartModel::update);
    connect(&table_, &ObjectTableModel::unitChanged, this, &ObjectChartModel::update);
    connect(&table_, &ObjectTableModel::columnsChanged, this, &ObjectChartModel::dropMissing);
}

void ObjectChartModel::setX(const ObjectQuantity& quantity) {
    if (change(spec_.x, quantity)) {
        table_.demand(quantity);
        emit specChanged();
        update();
    }
}

void ObjectChartModel::setY(const std::optional<ObjectQuantity>& quantity) {
    if (change(spec_.y, quantity)) {
        if (quantity) {
            table_.demand(*quantity);
        }
        emit specChanged();
        update();
    }
}

void ObjectChartModel::dropMissing() {
    const auto isMissing = [this](const ObjectQuantity& quantity) {
        return quantity.isColumn()
                   ? std::ranges::find(table_.channelColumns(), quantity.column) == table_.channelColumns().end()
                   : !isDescribed(quantity.feature);
    };
    if (isMissing(spec_.x)) {
        setX(ObjectFeature::area);
    }
    if (spec_.y && isMissing(*spec_.y)) {
        setY(usualSecond());
    }
}

void ObjectChartModel::update() {
    const auto listing = table_.listing();
    if (!active_ || !listing || listing->labels.empty()) {
        chartData_.clear();
        return;
    }
    chartData_.compute([listing, spec = spec_, unit = table_.scale()](const std::stop_token& stop) {
        return ChartData{
            listing, unit,
            chartObjects(listing->measured(unit), listing->labels, spec, JobControl(stop), listing->columnList())};
    });
}

void ObjectChartModel::selectWithin(const QRectF& places) {
    const auto charted = chartData_.value();
    if (!charted) {
        return;
    }
    const ObjectChart& chart = charted->chart;
    const auto part = [](const ChartAxis& axis, double low, double high) {
        return ChartAxis{axis.valueAt(low), axis.valueAt(high), false};
    };
    ChartAxis x = part(chart.x, places.left(), places.right());
    if (!chart.spec.y) {
        constexpr auto kBars = static_cast<double>(ObjectChart::kBars);
        const double first = std::min(std::floor(places.left() * kBars), kBars - 1);
        const double last = std::min(std::floor(places.right() * kBars), kBars - 1);
        x = part(chart.x, first / kBars, (last + 1) / kBars);
        if (last + 1 < kBars) {
            x.high = std::nextafter(x.high, x.low); // excludes the start of the next bar
        }
    }
    chartData_.worker().post(
        Lane::filter,
        [listing = charted->listing, unit = charted->unit, spec = chart.spec, x,
         y = part(chart.y, places.top(), places.bottom())](const std::stop_token& stop) {
            return objectsWithin(listing->measured(unit), listing->labels, spec, x, y, JobControl(stop),
                                 listing->columnList());
        },
        [this, listing = charted->listing](const JobOutcome& outcome, const std::vector<std::uint32_t>& labels) {
            if (outcome.ok() && table_.marks().objects() == listing->found) {
                table_.marks().select(labels);
            }
        });
}

void ObjectChartModel::select(std::uint32_t label) {
    if (const auto charted = chartData_.value(); charted && table_.marks().objects() == charted->listing->found) {
        table_.marks().select(std::span(&label, 1));
    }
}

} // namespace pollard::vm

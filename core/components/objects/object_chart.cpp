#include "components/objects/object_chart.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

/// Values of one quantity of objects.
class ChartValues {
public:
    ChartValues(const MeasuredObjects& objects, std::span<const ObjectColumn> columns, const ObjectQuantity& quantity)
        : objects_(objects), quantity_(quantity), column_(findColumn(columns, quantity.column)) {}

    [[nodiscard]] double of(std::uint32_t label) const {
        if (quantity_.isColumn()) {
            return column_ != nullptr ? column_->valueOf(label) : std::numeric_limits<double>::quiet_NaN();
        }
        return objects_.value(label, quantity_.feature);
    }
    [[nodiscard]] std::vector<double> of(std::span<const std::uint32_t> labels, const JobControl& control) const {
        std::vector<double> values(labels.size());
        forEachIndex(
            labels.size(), control, [&](std::size_t i) { values[i] = of(labels[i]); }, kObjectsPerTask);
        return values;
    }

private:
    const MeasuredObjects& objects_;
    const ObjectQuantity& quantity_;
    const ObjectColumn* column_;
};

ChartAxis axisOver(const std::vector<double>& values, bool logarithmic) {
    ChartAxis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), false};
    for (const double value : values) {
        if (std::isfinite(value)) {
            axis.low = std::min(axis.low, value);
            axis.high = std::max(axis.high, value);
        }
    }
    if (axis.low > axis.high) {
        return {};
    }
    if (axis.low == axis.high) {
        const double margin = axis.low == 0 ? 0.5 : std::abs(axis.low) / 2;
        axis.low -= margin;
        axis.high += margin;
    }
    axis.logarithmic = logarithmic && axis.low > 0;
    return axis;
}

/// Index of the part of equal width that contains a position.
std::size_t partOf(double place, std::size_t parts) {
    return std::min(static_cast<std::size_t>(std::max(0.0, place) * static_cast<double>(parts)), parts - 1);
}

void countBars(ObjectChart& chart, const std::vector<double>& values) {
    chart.bars.assign(ObjectChart::kBars, 0);
    for (const double value : values) {
        if (std::isfinite(value)) {
            ++chart.bars[partOf(chart.x.placeOf(value), ObjectChart::kBars)];
            ++chart.objects;
        }
    }
    chart.largest = std::ranges::max(chart.bars);
    chart.y = {0, static_cast<double>(std::max(1U, chart.largest)), false};
}

void placeObjects(ObjectChart& chart, std::span<const std::uint32_t> labels, const std::vector<double>& xs,
                  const std::vector<double>& ys) {
    const bool few = labels.size() <= ObjectChart::kMostPoints;
    chart.cells.assign(few ? 0 : ObjectChart::kGrid * ObjectChart::kGrid, 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (!std::isfinite(xs[i]) || !std::isfinite(ys[i])) {
            continue;
        }
        ++chart.objects;
        const double x = chart.x.placeOf(xs[i]);
        const double y = chart.y.placeOf(ys[i]);
        if (few) {
            chart.points.push_back({static_cast<float>(x), static_cast<float>(y), labels[i]});
        } else {
            ++chart.cells[partOf(y, ObjectChart::kGrid) * ObjectChart::kGrid + partOf(x, ObjectChart::kGrid)];
        }
    }
    std::ranges::sort(chart.points, {}, &ChartPoint::label);
    chart.largest = few ? 1 : std::ranges::max(chart.cells);
}

} // namespace

ObjectChart chartObjects(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                         const ObjectChartSpec& spec, const JobControl& control,
                         std::span<const ObjectColumn> columns) {
    ObjectChart chart;
    chart.spec = spec;
    const auto valuesOf = [&](const ObjectQuantity& quantity) {
        return ChartValues(objects, columns, quantity).of(labels, control);
    };
    const std::vector<double> xs = valuesOf(spec.x);
    chart.x = axisOver(xs, spec.logarithmic);
    if (spec.y) {
        const std::vector<double> ys = valuesOf(*spec.y);
        chart.y = axisOver(ys, spec.logarithmic);
        placeObjects(chart, labels, xs, ys);
    } else {
        countBars(chart, xs);
    }
    return chart;
}

std::vector<std::uint32_t> objectsWithin(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                         const ObjectChartSpec& spec, const ChartAxis& x, const ChartAxis& y,
                                         const JobControl& control, std::span<const ObjectColumn> columns) {
    const ChartValues xs(objects, columns, spec.x);
    const ChartValues ys(objects, columns, spec.y ? *spec.y : spec.x);
    std::vector<std::uint8_t> in(labels.size(), 0);
    const auto between = [](double value, const ChartAxis& axis) { return value >= axis.low && value <= axis.high; };
    forEachIndex(
        labels.size(), control,
        [&](std::size_t i) {
            in[i] = between(xs.of(labels[i]), x) && (!spec.y || between(ys.of(labels[i]), y)) ? 1 : 0;
        },
        kObjectsPerTask);
    std::vector<std::uint32_t> within;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (in[i] != 0) {
            within.push_back(labels[i]);
        }
    }
    std::ranges::sort(within);
    return within;
}

} // namespace pollard

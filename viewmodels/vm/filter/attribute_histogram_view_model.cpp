#include "vm/filter/attribute_histogram_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "attributes/grey_values.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

/// Half of the distance between two integer values, on which bars are centred.
double halfStep(const ValueDomain& domain) { return domain.integral ? 0.5 : 0.0; }

QString valueText(const ValueDomain& domain, double value) {
    return QLocale().toString(value, 'f', domain.integral ? 0 : domain.decimals);
}

} // namespace

AttributeHistogramViewModel::AttributeHistogramViewModel(DocumentViewModel& document, FilterViewModel& filter,
                                                         QObject* parent)
    : QObject(parent), document_(document), filter_(filter) {
    connect(&filter_, &FilterViewModel::attributeChanged, this, &AttributeHistogramViewModel::count);
    connect(&filter_, &FilterViewModel::domainChanged, this, &AttributeHistogramViewModel::count);
    connect(&document_, &DocumentViewModel::treeChanged, this, &AttributeHistogramViewModel::count);
    count();
}

AttributeId AttributeHistogramViewModel::attribute() const noexcept { return filter_.attribute(); }

double AttributeHistogramViewModel::valueAt(double ofColumn) const {
    return columnValue(attribute(), ofColumn, mappingOf(document_));
}

std::string AttributeHistogramViewModel::unit() const { return columnUnitText(attribute(), mappingOf(document_)); }

double AttributeHistogramViewModel::height(std::size_t bar) const noexcept {
    if (bar >= bars_.size() || highest_ == 0) {
        return 0;
    }
    return std::log1p(static_cast<double>(bars_[bar].nodes)) / std::log1p(static_cast<double>(highest_));
}

QList<QPointF> AttributeHistogramViewModel::outline() const {
    QList<QPointF> points;
    if (isEmpty()) {
        return points;
    }
    points.reserve(2 * static_cast<qsizetype>(bars_.size()) + 2);
    points << QPointF(bars_.front().start, 0);
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        points << QPointF(bars_[i].start, height(i)) << QPointF(bars_[i].end, height(i));
    }
    points << QPointF(bars_.back().end, 0);
    return points;
}

double AttributeHistogramViewModel::keptStart() const {
    const ValueDomain& domain = filter_.domain();
    return domain.positionOf(filter_.minimum() - halfStep(domain));
}

double AttributeHistogramViewModel::keptEnd() const {
    const ValueDomain& domain = filter_.domain();
    return domain.positionOf(filter_.maximum() + halfStep(domain));
}

int AttributeHistogramViewModel::barAt(double place) const noexcept {
    const auto after = std::ranges::upper_bound(bars_, place, {}, &Bar::end);
    if (after != bars_.end()) {
        return after->start <= place ? static_cast<int>(after - bars_.begin()) : -1;
    }
    return !bars_.empty() && place <= bars_.back().end ? static_cast<int>(bars_.size()) - 1 : -1;
}

QString AttributeHistogramViewModel::barText(std::size_t bar) const {
    if (bar >= bars_.size()) {
        return {};
    }
    const Bar& of = bars_[bar];
    const ValueDomain& domain = filter_.domain();
    const bool hasValues = mappingOf(document_) && attributeInfo(attribute()).grey != Grey::none;
    const auto text = [&](double number) {
        return hasValues ? greyNumber(valueAt(number)) : valueText(domain, number);
    };
    const QString low = text(of.lowest);
    const QString high = text(of.highest);
    const QString values = withUnit(low == high ? low : tr("%1 to %2").arg(low, high),
                                    unit()); // bounds may have another one
    const QString count = countText(of.nodes);
    return of.nodes == 1 ? tr("%1: 1 component").arg(values) : tr("%1: %2 components").arg(values, count);
}

QString AttributeHistogramViewModel::text() const {
    if (isEmpty()) {
        return {};
    }
    const QString all = tr("%1 components").arg(countText(nodes_));
    return without_ == 0 ? all : tr("%1, %2 without a value").arg(all, countText(without_));
}

void AttributeHistogramViewModel::count() {
    auto column = filter_.isAvailable() ? document_.attribute(filter_.attribute()) : nullptr;
    if (column == column_ && (column != nullptr || bars_.empty())) {
        return;
    }
    worker_.stop(Lane::measure);
    column_ = std::move(column);
    bars_.clear();
    nodes_ = without_ = highest_ = 0;
    counting_ = column_ != nullptr && !filter_.domain().isSinglePoint();
    if (counting_) {
        const BinScale scale = filter_.domain().logarithmic ? BinScale::log : BinScale::linear;
        worker_.post(
            Lane::measure,
            [of = column_, scale](const std::stop_token& stop) {
                return attributeHistogram(*of, kBins, scale, JobControl(stop));
            },
            [this](const JobOutcome& outcome, const AttributeHistogram& counted) {
                counting_ = false;
                if (outcome.ok()) {
                    show(counted);
                }
                emit changed();
            });
    }
    emit changed();
}

void AttributeHistogramViewModel::show(const AttributeHistogram& histogram) {
    const ValueDomain& domain = filter_.domain();
    const double half = halfStep(domain);
    const auto add = [&](double low, double high, std::uint64_t nodes) {
        // A logarithmic scale has bins between two integers without an integer inside.
        const double from = domain.integral ? std::ceil(low) : low;
        const double to = domain.integral ? std::ceil(high) : high;
        if (from < to) {
            bars_.push_back({domain.positionOf(from - half), domain.positionOf(to - half), from,
                             domain.integral ? to - 1 : to, nodes});
        }
    };
    if (histogram.below > 0) {
        add(domain.minimum, histogram.bins.edges.front(), histogram.below);
    }
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        add(histogram.bins.edges[i], histogram.bins.edges[i + 1], histogram.counts[i]);
    }
    if (!bars_.empty()) {
        bars_.front().start = 0;
        bars_.back().end = 1;
        bars_.back().highest = std::min(bars_.back().highest, domain.maximum);
    }
    for (const Bar& bar : bars_) {
        nodes_ += bar.nodes;
        highest_ = std::max(highest_, bar.nodes);
    }
    without_ = histogram.nan;
}

} // namespace pollard::vm

#include "vm/contour/contour_series.hpp"

#include "vm/base/value_text.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/table_condition.hpp"

#include "image/length_unit.hpp"
#include "io/page_selection.hpp"
#include "snake/contour/contour_output.hpp"

#include <QElapsedTimer>

#include <algorithm>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kLongest = 3; ///< ms of measuring in one turn

std::optional<double> valueIn(const std::vector<ContourValue>& values, const std::string& name) {
    const auto found = std::ranges::find(values, name, &ContourValue::name);
    return found == values.end() ? std::nullopt : found->value;
}

/// The name of a column of lengths or areas.
std::string columnOf(const char* name, LengthUnit unit, Dimension dimension) {
    return unit == LengthUnit::pixel ? name : name + ("_" + unitName(unit, dimension));
}

} // namespace

QString nameOf(ContourMeasure measure) {
    switch (measure) {
    case ContourMeasure::area:
        return ContourSeries::tr("Area");
    case ContourMeasure::length:
        return ContourSeries::tr("Length");
    case ContourMeasure::mean:
        return ContourSeries::tr("Mean inside");
    case ContourMeasure::outsideMean:
        return ContourSeries::tr("Mean outside");
    }
    return {};
}

ContourSeries::ContourSeries(ContourViewModel& contours, QObject* parent) : QObject(parent), contours_(contours) {
    later_.setSingleShot(true);
    later_.setInterval(0);
    connect(&later_, &QTimer::timeout, this, &ContourSeries::update);
    const auto updateLater = [this] {
        if (active_) {
            later_.start();
        }
    };
    connect(&contours_.runs(), &ContourRuns::changed, this, updateLater);
    connect(&contours_.follow(), &ContourFollow::changed, this, updateLater);
    connect(&contours_.document().pixelSizes(), &DocumentPixelSizes::changed, this, updateLater);
}

void ContourSeries::setActive(bool active) {
    active_ = active;
    if (active) {
        update();
    } else {
        later_.stop();
    }
}

void ContourSeries::goTo(int page) { contours_.document().reading().setPage(page); }

QString ContourSeries::unitOf(ContourMeasure measure) const {
    switch (measure) {
    case ContourMeasure::area:
        return fromUtf8(unitSymbol(unit_.unit, Dimension::area));
    case ContourMeasure::length:
        return fromUtf8(unitSymbol(unit_.unit, Dimension::length));
    case ContourMeasure::mean:
    case ContourMeasure::outsideMean:
        break;
    }
    return greyUnit(originalMappingOf(contours_.document()));
}

std::optional<double> ContourSeries::secondsOf(int page) const {
    const auto info = contours_.document().imageInfo();
    return info && contours_.follow().isOverTime() ? distanceOn('t', contours_.follow().positionOf(page), *info)
                                                   : std::nullopt;
}

double ContourSeries::placeOf(int page) const {
    const auto seconds = secondsOf(page);
    return seconds ? *seconds : 1 + (contours_.follow().isOverTime() ? contours_.follow().positionOf(page) : page);
}

QString ContourSeries::placeName() const { return contours_.follow().isOverTime() ? tr("Time") : tr("Page"); }

QString ContourSeries::placeUnit() const {
    return !rows_.empty() && secondsOf(rows_.front().page) ? QStringLiteral("s") : QString();
}

std::vector<ContourSeries::Row> ContourSeries::measured(const ContourFollow::Page& page) const {
    std::vector<Row> rows;
    const auto add = [&](const Contour& nodes, const std::optional<ContourSums>& sums,
                         const std::optional<ValueMapping>& mapping) {
        const std::vector<ContourValue> values = contourValues(nodes, sums, unit_, mapping);
        rows.push_back({page.page,
                        rows.size(),
                        {valueIn(values, columnOf("area", unit_.unit, Dimension::area)),
                         valueIn(values, columnOf("length", unit_.unit, Dimension::length)), valueIn(values, "mean"),
                         valueIn(values, "outside_mean")}});
    };
    const ContourRuns::Page& there = contours_.runs().pages().at(page.page);
    if (const auto made = std::ranges::find(there.runs, page.run, &ContourRun::id); made != there.runs.end()) {
        const int last = made->record.count() - 1;
        for (std::size_t i = 0; i < made->record.contours(); ++i) {
            const ContourRecord::Figures figures = made->record.figures(last, i);
            add(made->record.nodes(last, i), ContourSums{figures.inside, figures.outside}, made->values);
        }
    } else if (const auto saved = std::ranges::find(there.saved, page.run, &SessionRun::id);
               saved != there.saved.end()) {
        for (const Contour& nodes : saved->last) {
            add(nodes, {}, {});
        }
    }
    return rows;
}

void ContourSeries::update() {
    TableUnit unit(contours_.document());
    unit.adopt();
    if (unit_ != unit.scale()) {
        unit_ = unit.scale();
        measured_.clear();
    }
    QElapsedTimer spent;
    spent.start();
    rows_.clear();
    contourCount_ = 0;
    std::map<Key, std::vector<Row>> kept;
    for (const ContourFollow::Page& page : contours_.follow().series()) {
        const Key key{page.page, page.run, page.contours, page.pixels};
        const auto known = measured_.find(key);
        if (known == measured_.end() && spent.elapsed() >= kLongest) {
            later_.start();
            kept.merge(measured_);
            break;
        }
        std::vector<Row> rows = known != measured_.end() ? std::move(known->second) : measured(page);
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        contourCount_ = std::max(contourCount_, rows.size());
        kept.emplace(key, std::move(rows));
    }
    measured_ = std::move(kept);
    emit changed();
}

} // namespace pollard::vm

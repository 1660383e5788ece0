#include "docks/charts/contour_charts.hpp"

#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QPen>
#include <QShowEvent>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pollard::app {

using Contours = vm::ContourViewModel;

namespace {

constexpr int kMostPoints = 400; ///< per curve
constexpr int kPause = 60;       ///< ms between two updates of the curves
constexpr int kStateTicks = 3;

struct ValueRange {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    [[nodiscard]] ValueRange times(double factor) const { return {low * factor, high * factor}; }
    void hold(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// Adds a margin; the range is never empty.
    void widen() {
        const double room = std::max((high - low) * 0.06, std::max(std::abs(high) * 1e-6, 0.5));
        low -= room;
        high += room;
    }
};

} // namespace

ContourChart::ContourChart(Contours& contours, QWidget* parent)
    : Chart("contourChart", {0, kHead, 0, 0}, {160, 90}, parent), contours_(contours), energy_(new QLineSeries),
      area_(new QLineSeries), states_(new QValueAxis), energies_(new QCategoryAxis), areas_(new QCategoryAxis) {
    setAccessibleName(tr("Energy and area over the states"));
    setToolTip(tr("Energy (left) and area (right) of every state. Click or drag to show another state."));
    addAxis(states_, Qt::AlignBottom);
    addAxis(energies_, Qt::AlignLeft);
    addAxis(areas_, Qt::AlignRight);
    addSeries(area_, states_, areas_);
    addSeries(energy_, states_, energies_);
    states_->setLabelFormat(QStringLiteral("%.0f"));
    states_->setTickCount(kStateTicks);
    later_.setSingleShot(true);
    later_.setInterval(kPause);
    connect(&later_, &QTimer::timeout, this, &ContourChart::showCurves);
    for (const auto signal : {&vm::ContourRuns::statesChanged, &vm::ContourRuns::changed}) {
        connect(&contours_.runs(), signal, this, [this] {
            if (!later_.isActive()) {
                later_.start();
            }
        });
    }
    connect(&contours_.document().pixelSizes(), &vm::DocumentPixelSizes::changed, &later_, qOverload<>(&QTimer::start));
    connect(&contours_.runs(), &vm::ContourRuns::shownChanged, viewport(), qOverload<>(&QWidget::update));
    applyStyle();
    showCurves();
}

void ContourChart::styleSeries(const QPalette& palette) {
    energy_->setPen(QPen(palette.color(QPalette::Highlight), 2));
    area_->setPen(QPen(secondaryText(palette), 1.4));
    energies_->setLabelsColor(palette.color(QPalette::Highlight));
}

void ContourChart::showCurves() {
    const vm::ContourRun* run = contours_.runs().currentRun();
    const int count = contours_.runs().stateCount();
    QList<QPointF> energy;
    QList<QPointF> area;
    if (run != nullptr) {
        ValueRange energies;
        ValueRange areas;
        const int stride = std::max(1, (count + kMostPoints - 1) / kMostPoints);
        const auto add = [&](int number) {
            const vm::ContourRecord::Figures told = run->record.figures(number, run->contour);
            energy << QPointF(number, told.energy);
            area << QPointF(number, static_cast<double>(told.inside.pixels));
            energies.hold(told.energy);
            areas.hold(static_cast<double>(told.inside.pixels));
        };
        for (int number = 0; number < count - 1; number += stride) {
            add(number);
        }
        add(count - 1);
        const vm::WorldUnit unit = vm::sceneAreaUnit(contours_.document().imageInfo().get(), areas.high);
        areaUnit_ = unit.name;
        for (QPointF& point : area) {
            point.setY(point.y() * unit.factor);
        }
        energies.widen();
        areas.widen();
        areas = areas.times(unit.factor);
        states_->setRange(0, std::max(1, count - 1));
        for (const auto& [axis, range] : {std::pair(energies_, energies), std::pair(areas_, areas)}) {
            setTicks(*axis, range.low, range.high, ticksBetween(range.low, range.high, false, kStateTicks));
        }
    }
    energy_->replace(energy);
    area_->replace(area);
    showAxes(run != nullptr);
    viewport()->update();
}

double ContourChart::pixelOf(int state) const {
    return pixelAt(static_cast<double>(state) / std::max(1, contours_.runs().stateCount() - 1));
}

void ContourChart::drawForeground(QPainter* painter, const QRectF&) {
    if (contours_.runs().current() < 0) {
        return;
    }
    paintHead(
        *painter, 4, {tr("Energy"), palette().color(QPalette::Highlight)}, tr("over the states"),
        {QStringLiteral("%1, %2").arg(vm::nameOf(vm::ContourMeasure::area), areaUnit_), secondaryText(palette())});
    painter->setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 2 : 1));
    paintLine(*painter, pixelOf(contours_.runs().shown()));
}

void ContourChart::scrubTo(double pixel) {
    contours_.playback().scrub(static_cast<int>(std::lround(partOf(pixel) * (contours_.runs().stateCount() - 1))));
}

void ContourChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && contours_.runs().current() >= 0) {
        dragging_ = true;
        scrubTo(event->position().x());
    }
}

void ContourChart::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        scrubTo(event->position().x());
    }
}

void ContourChart::mouseReleaseEvent(QMouseEvent*) { dragging_ = false; }

void ContourChart::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void ContourChart::keyPressEvent(QKeyEvent* event) { event->ignore(); } // handled by the panel

namespace {

constexpr int kTicks = 4;
constexpr int kValueTicks = 2;
constexpr int kLabelRoom = 12; ///< px for half of the last label
constexpr double kRoom = 0.06; ///< free space above and below the curves, as a fraction of their range

QString withUnitOf(const QString& name, const QString& unit) {
    return unit.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, unit);
}

} // namespace

ContourSeriesChart::ContourSeriesChart(vm::ContourSeries& pages, QWidget* parent)
    : Chart("contourSeriesChart", {0, kHead, kLabelRoom, 0}, {160, 60}, parent), pages_(pages),
      places_(new QCategoryAxis), values_(new QCategoryAxis) {
    setAccessibleName(tr("Followed contours over the pages"));
    setToolTip(tr("The measurement of every contour on the pages that it was followed over. Click, or use the arrow "
                  "keys, to turn to a page."));
    addAxis(places_, Qt::AlignBottom);
    addAxis(values_, Qt::AlignLeft);
    connect(&pages_, &vm::ContourSeries::changed, this, &ContourSeriesChart::showCurves);
    applyStyle();
    showCurves();
}

void ContourSeriesChart::styleSeries(const QPalette& palette) {
    const auto current = static_cast<qsizetype>(pages_.contours().runs().contour());
    for (qsizetype i = 0; i < curves_.size(); ++i) {
        curves_[i]->setPen(i == current ? QPen(palette.color(QPalette::Highlight), 2)
                                        : QPen(secondaryText(palette), 1.2));
    }
    values_->setLabelsColor(palette.color(QPalette::Highlight));
}

void ContourSeriesChart::showCurves() {
    const std::size_t count = std::min(pages_.contourCount(), kMostCurves);
    while (static_cast<std::size_t>(curves_.size()) < count) {
        curves_ << new QLineSeries;
        addSeries(curves_.back(), places_, values_);
    }
    QList<QList<QPointF>> points(curves_.size());
    double low = 0;
    double high = 0;
    bool isFirst = true;
    for (const vm::ContourSeries::Row& row : pages_.rows()) {
        const auto value = row.value(pages_.measure());
        if (!value || row.contour >= count) {
            continue;
        }
        points[static_cast<qsizetype>(row.contour)] << QPointF(pages_.placeOf(row.page), *value);
        low = isFirst ? *value : std::min(low, *value);
        high = isFirst ? *value : std::max(high, *value);
        isFirst = false;
    }
    for (qsizetype i = 0; i < curves_.size(); ++i) {
        curves_[i]->replace(points[i]);
    }
    const bool hasRows = !pages_.rows().empty();
    if (hasRows) {
        first_ = pages_.placeOf(pages_.rows().front().page);
        last_ = pages_.placeOf(pages_.rows().back().page);
        last_ = last_ > first_ ? last_ : first_ + 1;
        const double room = std::max((high - low) * kRoom, std::max(std::abs(high) * 1e-6, 1e-12));
        const int most =
            pages_.placeUnit().isEmpty() ? static_cast<int>(std::min<double>(last_ - first_, kTicks)) : kTicks;
        setTicks(*places_, first_, last_, ticksBetween(first_, last_, false, most));
        setTicks(*values_, low - room, high + room, ticksBetween(low - room, high + room, false, kValueTicks));
    }
    showAxes(hasRows);
    setAccessibleDescription(valueText());
    styleSeries(palette());
    viewport()->update();
}

QList<int> ContourSeriesChart::pages() const {
    QList<int> all;
    for (const vm::ContourSeries::Row& row : pages_.rows()) {
        if (all.isEmpty() || all.back() != row.page) {
            all << row.page;
        }
    }
    return all;
}

int ContourSeriesChart::shownPage() const { return pages_.contours().document().page(); }

double ContourSeriesChart::pixelOf(int page) const {
    return pixelAt((pages_.placeOf(page) - first_) / (last_ - first_));
}

QString ContourSeriesChart::valueText() const {
    const auto contour = static_cast<std::size_t>(pages_.contours().runs().contour());
    const auto row = std::ranges::find_if(pages_.rows(), [&](const vm::ContourSeries::Row& each) {
        return each.page == shownPage() && each.contour == contour;
    });
    const auto value = row == pages_.rows().end() ? std::nullopt : row->value(pages_.measure());
    if (!value) {
        return {};
    }
    const QString unit = pages_.unitOf(pages_.measure());
    return unit.isEmpty() ? vm::shortValue(*value) : QStringLiteral("%1 %2").arg(vm::shortValue(*value), unit);
}

void ContourSeriesChart::drawForeground(QPainter* painter, const QRectF&) {
    if (pages_.rows().empty()) {
        paintText(*painter, tr("Follow the contours over the pages to see how they change."));
        return;
    }
    const QColor text = palette().color(QPalette::WindowText);
    paintHead(*painter, 4,
              {withUnitOf(vm::nameOf(pages_.measure()), pages_.unitOf(pages_.measure())),
               palette().color(QPalette::Highlight)},
              withUnitOf(pages_.placeName(), pages_.placeUnit()), {valueText(), text});
    painter->setPen(QPen(text, hasFocus() ? 2 : 1));
    paintLine(*painter, pixelOf(shownPage()));
}

void ContourSeriesChart::mousePressEvent(QMouseEvent* event) {
    const QList<int> all = pages();
    if (event->button() != Qt::LeftButton || all.isEmpty()) {
        return;
    }
    const double x = event->position().x();
    pages_.goTo(*std::ranges::min_element(all, {}, [&](int page) { return std::abs(pixelOf(page) - x); }));
}

void ContourSeriesChart::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void ContourSeriesChart::keyPressEvent(QKeyEvent* event) {
    const QList<int> all = pages();
    const qsizetype last = all.size() - 1;
    const qsizetype before = std::ranges::lower_bound(all, shownPage()) - all.begin() - 1;
    const qsizetype after = std::ranges::upper_bound(all, shownPage()) - all.begin();
    const int key = event->key();
    const qsizetype to = key == Qt::Key_Left    ? before
                         : key == Qt::Key_Right ? after
                         : key == Qt::Key_Home  ? 0
                         : key == Qt::Key_End   ? last
                                                : -1;
    if (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Home && key != Qt::Key_End) {
        event->ignore(); // handled by the panel
    } else if (to >= 0 && to <= last) {
        pages_.goTo(all[to]);
    }
}

void ContourSeriesChart::showEvent(QShowEvent* event) {
    Chart::showEvent(event);
    pages_.setActive(true);
}

void ContourSeriesChart::hideEvent(QHideEvent* event) {
    Chart::hideEvent(event);
    if (!event->spontaneous()) {
        pages_.setActive(false);
    }
}

namespace {

constexpr double kShareHeadroom = 1.08; ///< factor above the highest bar
constexpr int kLevelTicks = 3;

} // namespace

QColor insideColour(const QPalette& palette) { return isDark(palette) ? QColor(255, 140, 70) : QColor(214, 84, 16); }

QColor outsideColour(const QPalette& palette) { return isDark(palette) ? QColor(110, 170, 255) : QColor(30, 100, 200); }

RegionLevelsChart::RegionLevelsChart(vm::ContourHistograms& histograms, QWidget* parent)
    : Chart("contourLevels", {6, kHead, 6, 0}, {160, 90}, parent), histograms_(histograms), levels_(new QValueAxis),
      shares_(new QValueAxis) {
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Levels inside and outside of the contour"));
    setToolTip(tr("Areas: distribution of the grey levels inside and outside. Lines: the law with the parameters that "
                  "make each region most likely. The better they fit, the better the law suits the image."));
    addAxis(levels_, Qt::AlignBottom);
    addAxis(shares_, Qt::AlignLeft);
    levels_->setLabelFormat(QStringLiteral("%.0f"));
    levels_->setTickCount(kLevelTicks);
    chart()->setLocalizeNumbers(true);
    outside_ = addCurves();
    inside_ = addCurves();
    connect(&histograms_, &vm::ContourHistograms::changed, this, &RegionLevelsChart::showLevels);
    applyStyle();
    showLevels();
}

RegionLevelsChart::Curves RegionLevelsChart::addCurves() {
    Curves curves;
    curves.area = new QAreaSeries(new QLineSeries(this));
    curves.law = new QLineSeries;
    addSeries(curves.area, levels_, shares_);
    addSeries(curves.law, levels_, shares_);
    return curves;
}

void RegionLevelsChart::styleSeries(const QPalette& palette) {
    const auto dressCurves = [](Curves& curves, QColor colour) {
        curves.law->setPen(QPen(colour, 1.6));
        colour.setAlphaF(0.38F);
        curves.area->setBrush(colour);
        curves.area->setPen(Qt::NoPen);
    };
    dressCurves(inside_, insideColour(palette));
    dressCurves(outside_, outsideColour(palette));
}

void RegionLevelsChart::showLevels() {
    const auto levels = histograms_.levels();
    double highest = 0;
    const auto fill = [&](Curves& curves, const vm::RegionLevels* region) {
        QList<QPointF> outline;
        QList<QPointF> law;
        for (std::size_t bin = 0; region != nullptr && bin < region->shares.size(); ++bin) {
            const double from = levels->low + levels->step * static_cast<double>(bin);
            const double to = histograms_.valueOf(from + levels->step);
            outline << QPointF(histograms_.valueOf(from), region->shares[bin]) << QPointF(to, region->shares[bin]);
            law << QPointF(histograms_.valueOf(from + levels->step / 2), region->fitted[bin]);
            highest = std::max({highest, region->shares[bin], region->fitted[bin]});
        }
        curves.area->upperSeries()->replace(outline);
        curves.law->replace(law);
    };
    fill(inside_, levels ? &levels->inside : nullptr);
    fill(outside_, levels ? &levels->outside : nullptr);
    if (levels) {
        const double low = histograms_.valueOf(levels->low);
        const double high = histograms_.valueOf(levels->high());
        levels_->setLabelFormat(high - low < kLevelTicks ? QStringLiteral("%.4g") : QStringLiteral("%.0f"));
        levels_->setRange(low, high);
        shares_->setRange(0, std::max(highest * kShareHeadroom, 1e-6));
    }
    showAxes(levels != nullptr, shares_);
    viewport()->update();
}

void RegionLevelsChart::drawForeground(QPainter* painter, const QRectF&) {
    if (!histograms_.levels()) {
        return;
    }
    paintHead(*painter, 6, {tr("Inside"), insideColour(palette())},
              histograms_.unit().isEmpty() ? tr("grey levels") : histograms_.unit(),
              {tr("Outside"), outsideColour(palette())});
}

void RegionLevelsChart::keyPressEvent(QKeyEvent* event) { event->ignore(); } // handled by the panel

} // namespace pollard::app

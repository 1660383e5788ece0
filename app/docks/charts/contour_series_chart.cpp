#include "docks/charts/contour_series_chart.hpp"

#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include <QCategoryAxis>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QPen>
#include <QShowEvent>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {
namespace {

constexpr int kTicks = 4;
constexpr int kValueTicks = 2;
constexpr int kLabelRoom = 12; ///< px for half of the last label
constexpr double kRoom = 0.06; ///< above and below the curves, of their range

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
    dress();
    showCurves();
}

void ContourSeriesChart::dressSeries(const QPalette& palette) {
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
    dressSeries(palette());
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

} // namespace pollard::app

#include "docks/charts/attribute_histogram_view.hpp"

#include "docks/filter/bound_steps.hpp"
#include "theme/theme.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kBoundReach = 7; ///< px around a bound within which a press grabs it
constexpr double kTop = 6;        ///< px above the highest bar
constexpr double kBottom = 1;     ///< px of the line below the bars

} // namespace

AttributeHistogramView::AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter,
                                               double margin, QWidget* parent)
    : QWidget(parent), histogram_(histogram), filter_(filter), margin_(margin), bounds_(kBoundReach) {
    setObjectName(QStringLiteral("attributeHistogram"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    explain(this, tr("Histogram of the attribute"),
            tr("Number of components by value; heights are logarithmic. Drag a bound, or the range between the bounds; "
               "double-click removes both."));
    setAccessibleDescription(
        tr("Left and right move the lower bound, with Shift the upper one; the numbers below hold the same values."));
    connect(&histogram_, &vm::AttributeHistogramViewModel::changed, this, [this] {
        update();
        showReadout();
    });
    connect(&filter_, &vm::FilterViewModel::rangeChanged, this, qOverload<>(&QWidget::update));
    connect(&filter_, &vm::FilterViewModel::enabledChanged, this, qOverload<>(&QWidget::update));
}

QRectF AttributeHistogramView::plot() const {
    return {margin_, kTop, std::max(1.0, width() - 2 * margin_), height() - kTop - kBottom};
}

IntervalHandles::Line AttributeHistogramView::line() const {
    return {.left = plot().left(),
            .length = plot().width(),
            .value = {filter_.minimumPosition(), filter_.maximumPosition()},
            .movable = !histogram_.isEmpty() && isEnabled()};
}

double AttributeHistogramView::pixelOf(double place) const { return line().pixelOf(place); }

QPolygonF AttributeHistogramView::barsOn(const QRectF& plot) const {
    QPolygonF bars;
    for (const QPointF& point : histogram_.outline()) {
        bars << QPointF(pixelOf(point.x()), plot.bottom() - point.y() * plot.height());
    }
    return bars;
}

void AttributeHistogramView::paintDecades(QPainter& painter, const QRectF& plot) const {
    const vm::ValueDomain& domain = filter_.domain();
    if (!domain.logarithmic) {
        return;
    }
    painter.setPen(QPen(hairline(palette()), 1));
    for (double value = 1; value < domain.maximum; value *= 10) {
        const double x = std::round(pixelOf(domain.positionOf(value))) + 0.5;
        if (value > domain.minimum && x > plot.left() + 2) {
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    }
}

void AttributeHistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF area = plot();
    painter.setPen(QPen(hairline(palette()), 1));
    const double floor = std::floor(area.bottom()) + 0.5;
    painter.drawLine(QPointF(area.left(), floor), QPointF(area.right(), floor));
    if (histogram_.isEmpty()) {
        return;
    }
    paintDecades(painter, area);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPolygonF bars = barsOn(area);
    QColor removed = palette().color(QPalette::WindowText);
    removed.setAlphaF(0.22F);
    QColor kept = palette().color(QPalette::WindowText);
    kept.setAlphaF(isEnabled() ? 0.6F : 0.22F);
    const double low = pixelOf(histogram_.keptStart());
    const double high = pixelOf(histogram_.keptEnd());
    const auto paintPart = [&](double from, double to, const QColor& colour) {
        if (to > from) {
            painter.setClipRect(QRectF(QPointF(from, 0), QPointF(to, height())));
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(bars);
        }
    };
    paintPart(0, low, removed);
    paintPart(low, high, kept);
    paintPart(high, width(), removed);
    painter.setClipping(false);
    IntervalHandles::paint(painter, line(), area, *this);
}

void AttributeHistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    bounds_.press(line(), event->position().x());
}

void AttributeHistogramView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position().x();
    const auto [low, high] = bounds_.drag(line(), *pointer_);
    if (bounds_.dragged() == IntervalHandles::Part::low) {
        filter_.setMinimumPosition(low);
    } else if (bounds_.dragged() == IntervalHandles::Part::high) {
        filter_.setMaximumPosition(high);
    } else if (bounds_.dragged() == IntervalHandles::Part::both) {
        filter_.setRange(filter_.domain().valueAt(low), filter_.domain().valueAt(high));
    } else {
        bounds_.showCursor(*this, line(), *pointer_);
    }
    showReadout();
}

void AttributeHistogramView::mouseReleaseEvent(QMouseEvent*) { bounds_.release(); }

void AttributeHistogramView::mouseDoubleClickEvent(QMouseEvent*) {
    if (!histogram_.isEmpty()) {
        filter_.reset();
    }
}

void AttributeHistogramView::keyPressEvent(QKeyEvent* event) {
    const auto [part, steps] = IntervalHandles::keyOf(*event);
    if (histogram_.isEmpty() || part == IntervalHandles::Part::none) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (part == IntervalHandles::Part::high) {
        filter_.setMaximum(steppedBound(filter_.domain(), filter_.maximum(), steps));
    } else {
        filter_.setMinimum(steppedBound(filter_.domain(), filter_.minimum(), steps));
    }
}

void AttributeHistogramView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    pointer_.reset();
    showReadout();
}

void AttributeHistogramView::showReadout() {
    QString text;
    if (pointer_) {
        const int bar = histogram_.barAt(line().valueAt(*pointer_));
        text = bar >= 0 ? histogram_.barText(static_cast<std::size_t>(bar)) : QString();
    }
    emit readoutChanged(text);
}

} // namespace pollard::app

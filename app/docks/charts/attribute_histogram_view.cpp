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

constexpr double kReach = 7;  ///< px around a bound within which a press grabs it
constexpr double kTop = 6;    ///< px above the highest bar
constexpr double kBottom = 1; ///< px of the line below the bars

} // namespace

AttributeHistogramView::AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter,
                                               double margin, QWidget* parent)
    : QWidget(parent), histogram_(histogram), filter_(filter), margin_(margin) {
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

double AttributeHistogramView::pixelOf(double place) const { return plot().left() + place * plot().width(); }

double AttributeHistogramView::placeAt(double pixel) const {
    return std::clamp((pixel - plot().left()) / plot().width(), 0.0, 1.0);
}

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

void AttributeHistogramView::paintBounds(QPainter& painter, const QRectF& plot) const {
    const QColor accent = palette().color(isEnabled() ? QPalette::Highlight : QPalette::Mid);
    for (const double place : {filter_.minimumPosition(), filter_.maximumPosition()}) {
        const double x = pixelOf(place);
        painter.setPen(QPen(accent, hasFocus() ? 2.4 : 1.6));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(accent);
        painter.drawRoundedRect(QRectF(x - 4, plot.center().y() - 9, 8, 18), 3, 3);
        painter.setPen(QPen(palette().color(QPalette::HighlightedText), 1));
        painter.drawLine(QPointF(x, plot.center().y() - 4), QPointF(x, plot.center().y() + 4));
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
    paintBounds(painter, area);
}

AttributeHistogramView::Drag AttributeHistogramView::partAt(double pixel) const {
    if (histogram_.isEmpty() || !isEnabled()) {
        return Drag::none;
    }
    const double toLow = pixel - pixelOf(filter_.minimumPosition());
    const double toHigh = pixel - pixelOf(filter_.maximumPosition());
    if (std::min(std::abs(toLow), std::abs(toHigh)) <= kReach) {
        // Bounds at one position: the side of the pointer decides; at an end only one of them can move.
        if (std::abs(toHigh - toLow) < 1) {
            const bool atEnd = filter_.maximumPosition() >= 1;
            return atEnd || (filter_.minimumPosition() > 0 && toLow < 0) ? Drag::low : Drag::high;
        }
        return std::abs(toLow) < std::abs(toHigh) ? Drag::low : Drag::high;
    }
    if (toLow > 0 && toHigh < 0) {
        const bool bounded = filter_.minimumPosition() > 0 || filter_.maximumPosition() < 1;
        return bounded ? Drag::both : (toLow < -toHigh ? Drag::low : Drag::high);
    }
    return toLow < 0 ? Drag::low : Drag::high;
}

void AttributeHistogramView::moveBoth(double low) {
    const double start = std::clamp(low, 0.0, 1.0 - width_);
    filter_.setRange(filter_.domain().valueAt(start), filter_.domain().valueAt(start + width_));
}

void AttributeHistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    drag_ = partAt(event->position().x());
    width_ = filter_.maximumPosition() - filter_.minimumPosition();
    grip_ = placeAt(event->position().x()) - filter_.minimumPosition();
}

void AttributeHistogramView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position().x();
    const double place = placeAt(*pointer_);
    switch (drag_) {
    case Drag::low:
        filter_.setMinimumPosition(std::min(place, filter_.maximumPosition()));
        break;
    case Drag::high:
        filter_.setMaximumPosition(std::max(place, filter_.minimumPosition()));
        break;
    case Drag::both:
        moveBoth(place - grip_);
        break;
    case Drag::none:
        switch (partAt(*pointer_)) {
        case Drag::none:
            unsetCursor();
            break;
        case Drag::both:
            setCursor(Qt::OpenHandCursor);
            break;
        case Drag::low:
        case Drag::high:
            setCursor(Qt::SplitHCursor);
            break;
        }
        break;
    }
    showReadout();
}

void AttributeHistogramView::mouseReleaseEvent(QMouseEvent*) { drag_ = Drag::none; }

void AttributeHistogramView::mouseDoubleClickEvent(QMouseEvent*) {
    if (!histogram_.isEmpty()) {
        filter_.reset();
    }
}

void AttributeHistogramView::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (histogram_.isEmpty() || (!left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int step = left ? -1 : 1;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        filter_.setMaximum(steppedBound(filter_.domain(), filter_.maximum(), step));
    } else {
        filter_.setMinimum(steppedBound(filter_.domain(), filter_.minimum(), step));
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
        const int bar = histogram_.barAt(placeAt(*pointer_));
        text = bar >= 0 ? histogram_.barText(static_cast<std::size_t>(bar)) : QString();
    }
    emit readoutChanged(text);
}

} // namespace pollard::app

#include "plot/interval_handles.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace pollard::app {

double IntervalHandles::Line::pixelOf(double of) const {
    return left + std::clamp((of - ends.low) / (ends.high - ends.low), 0.0, 1.0) * length;
}

double IntervalHandles::Line::valueAt(double pixel) const {
    const double at = ends.low + std::clamp((pixel - left) / length, 0.0, 1.0) * (ends.high - ends.low);
    return step > 0 ? std::round(at / step) * step : at;
}

IntervalHandles::Part IntervalHandles::partAt(const Line& line, double pixel) const {
    if (!line.movable) {
        return Part::none;
    }
    const double toLow = pixel - line.pixelOf(line.value.low);
    const double toHigh = pixel - line.pixelOf(line.value.high);
    const bool canFall = line.value.low > line.limits.low;
    const bool canRise = line.value.high < line.limits.high;
    if (toLow - toHigh < 1) {
        // If both handles are at one place, the side of the pointer decides; at a limit only one handle can move.
        return !canRise || (canFall && toLow + toHigh < 0) ? Part::low : Part::high;
    }
    if (toLow > reach_ && toHigh < -reach_ && (canFall || canRise || line.slidesWhenFull)) {
        return Part::both;
    }
    return std::abs(toLow) < std::abs(toHigh) ? Part::low : Part::high;
}

void IntervalHandles::press(const Line& line, double pixel) {
    dragged_ = partAt(line, pixel);
    grip_ = line.valueAt(pixel) - line.value.low;
    width_ = line.value.high - line.value.low;
}

IntervalHandles::Interval IntervalHandles::drag(const Line& line, double pixel) const {
    const auto [low, high] = line.value;
    const double value = line.valueAt(pixel);
    if (dragged_ == Part::both) {
        const double start = std::clamp(value - grip_, line.limits.low, line.limits.high - width_);
        return {start, start + width_};
    }
    return {dragged_ == Part::low ? std::min(value, high - line.step) : low,
            dragged_ == Part::high ? std::max(value, low + line.step) : high};
}

void IntervalHandles::showCursor(QWidget& widget, const Line& line, double pixel) const {
    const Part part = partAt(line, pixel);
    if (part == Part::none) {
        widget.unsetCursor();
    } else {
        widget.setCursor(part == Part::both ? Qt::OpenHandCursor : Qt::SplitHCursor);
    }
}

void IntervalHandles::paint(QPainter& painter, const Line& line, const QRectF& plot, const QWidget& widget) {
    const QPalette& palette = widget.palette();
    const QColor accent = palette.color(widget.isEnabled() ? QPalette::Highlight : QPalette::Mid);
    const double middle = plot.center().y();
    for (const double x : {line.pixelOf(line.value.low), line.pixelOf(line.value.high)}) {
        painter.setPen(QPen(accent, widget.hasFocus() ? 2.4 : 1.6));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(accent);
        painter.drawRoundedRect(QRectF(x - 4, middle - 9, 8, 18), 3, 3);
        painter.setPen(QPen(palette.color(QPalette::HighlightedText), 1));
        painter.drawLine(QPointF(x, middle - 4), QPointF(x, middle + 4));
    }
}

std::pair<IntervalHandles::Part, int> IntervalHandles::keyOf(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Left && event.key() != Qt::Key_Right) {
        return {Part::none, 0};
    }
    return {event.modifiers().testFlag(Qt::ShiftModifier) ? Part::high : Part::low,
            event.key() == Qt::Key_Left ? -1 : 1};
}

} // namespace pollard::app

#include "docks/charts/opacity_curve_view.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"

#include <QChart>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr double kCurveReach = 8;     ///< px around a point within which a press grabs it
constexpr double kCurveDotRadius = 4; ///< px
constexpr double kCurveValueStep = 0.01;
constexpr double kCurveOpacityStep = 0.02;
constexpr int kCurveDigits = 6;

} // namespace

OpacityCurveView::OpacityCurveView(vm::RenderingViewModel& rendering, vm::HistogramViewModel& histogram,
                                   vm::DisplayViewModel& display, QWidget* parent)
    : HistogramChart("opacityCurve", {0, 110}, 0.3F, histogram, display, parent), rendering_(rendering) {
    setAccessibleName(tr("Curve of opacity"));
    setAccessibleDescription(tr("Page up and page down choose the next and the previous point, arrow keys move it, "
                                "Insert adds a point after it "
                                "and Delete removes it."));
    setToolTip(
        tr("Opacity of voxels by their value, over the histogram. Drag a point, click to add one, double-click a "
           "point to remove it."));
    connect(&rendering_, &vm::RenderingViewModel::lookChanged, this, &OpacityCurveView::showCurve);
}

void OpacityCurveView::showCurve() {
    if (current_ && *current_ >= rendering_.curve().points().size()) {
        current_.reset();
    }
    hovered_.reset(); // until the pointer moves
    viewport()->update();
}

void OpacityCurveView::setHovered(std::optional<std::size_t> index) {
    if (index != std::exchange(hovered_, index)) {
        viewport()->update();
    }
}

QString OpacityCurveView::textOf(const vm::OpacityPoint& point) const {
    const QLocale locale;
    const QString unit = display().valueUnit();
    const QString value = locale.toString(point.value, 'g', kCurveDigits);
    return QStringLiteral("%1 · %2 %")
        .arg(unit.isEmpty() ? value : value + QLatin1Char(' ') + unit, locale.toString(qRound(point.opacity * 100)));
}

QPointF OpacityCurveView::placeOf(const vm::OpacityPoint& point) const {
    const QRectF plot = chart()->plotArea();
    return {pixelOf(display().levelOf(point.value)), plot.bottom() - point.opacity * plot.height()};
}

vm::OpacityPoint OpacityCurveView::pointAt(const QPointF& place) const {
    const QRectF plot = chart()->plotArea();
    const double level = ends().low + partOf(place.x()) * (ends().high - ends().low);
    return {display().valueOf(level), std::clamp((plot.bottom() - place.y()) / std::max(plot.height(), 1.0), 0.0, 1.0)};
}

std::optional<std::size_t> OpacityCurveView::indexAt(const QPointF& place) const {
    const auto& points = rendering_.curve().points();
    std::optional<std::size_t> nearest;
    double best = kCurveReach;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF away = placeOf(points[i]) - place;
        if (const double distance = std::hypot(away.x(), away.y()); distance <= best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

void OpacityCurveView::add(const vm::OpacityPoint& point) {
    vm::OpacityCurve curve = rendering_.curve();
    if (curve.isEmpty()) { // as the window of the display has it
        curve = vm::OpacityCurve({{display().valueOf(display().windowLow()), 0},
                                  {display().valueOf(display().windowHigh()), rendering_.opacity()}});
    }
    curve = curve.with(point);
    const auto found = std::ranges::find(curve.points(), point);
    current_ = found != curve.points().end() ? std::optional<std::size_t>(found - curve.points().begin()) : current_;
    rendering_.setCurve(curve);
}

void OpacityCurveView::remove(std::size_t index) {
    current_.reset();
    rendering_.setCurve(rendering_.curve().without(index));
    viewport()->update();
}

void OpacityCurveView::move(double across, double up) {
    const vm::OpacityPoint at = rendering_.curve().points()[*current_];
    const double level = display().levelOf(at.value) + across * (ends().high - ends().low);
    const double value = across == 0 ? at.value : display().valueOf(std::clamp(level, ends().low, ends().high));
    rendering_.setCurve(rendering_.curve().moved(*current_, {value, at.opacity + up}));
}

void OpacityCurveView::drawForeground(QPainter* painter, const QRectF&) {
    const vm::OpacityCurve& curve = rendering_.curve();
    if (curve.isEmpty()) {
        paintText(*painter, tr("Opacity by the window of the display.\nClick to draw a curve."));
        return;
    }
    const QRectF plot = chart()->plotArea();
    QPolygonF line;
    line << QPointF(plot.left(), placeOf(curve.points().front()).y());
    for (const vm::OpacityPoint& each : curve.points()) {
        line << placeOf(each);
    }
    line << QPointF(plot.right(), placeOf(curve.points().back()).y());
    const QColor colour = palette().color(QPalette::Highlight);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
    for (std::size_t i = 0; i < curve.points().size(); ++i) {
        painter->setBrush(i == current_ ? colour : palette().color(QPalette::Base));
        painter->drawEllipse(placeOf(curve.points()[i]), kCurveDotRadius, kCurveDotRadius);
    }
    if (const auto told = hovered_ ? hovered_ : current_) {
        painter->setPen(palette().color(QPalette::WindowText));
        painter->drawText(plot, Qt::AlignTop | Qt::AlignHCenter, textOf(curve.points()[*told]));
    }
}

void OpacityCurveView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || isEmpty()) {
        HistogramChart::mousePressEvent(event);
        return;
    }
    if (const auto index = indexAt(event->position())) {
        current_ = index;
        viewport()->update();
    } else {
        add(pointAt(event->position()));
    }
    isDragging_ = true;
}

void OpacityCurveView::mouseMoveEvent(QMouseEvent* event) {
    if (isDragging_ && current_) {
        rendering_.setCurve(rendering_.curve().moved(*current_, pointAt(event->position())));
    } else {
        setHovered(indexAt(event->position()));
        viewport()->setCursor(hovered_ ? Qt::PointingHandCursor : Qt::CrossCursor);
    }
}

void OpacityCurveView::leaveEvent(QEvent* event) {
    HistogramChart::leaveEvent(event);
    setHovered(std::nullopt);
}

void OpacityCurveView::mouseReleaseEvent(QMouseEvent*) { isDragging_ = false; }

void OpacityCurveView::mouseDoubleClickEvent(QMouseEvent* event) {
    isDragging_ = false;
    if (const auto index = indexAt(event->position())) {
        remove(*index);
    }
}

/// The keys of points are no shortcuts of the window, which has some of them.
bool OpacityCurveView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        constexpr std::array kKeys{Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Up,
                                   Qt::Key_Down,     Qt::Key_Insert, Qt::Key_Delete, Qt::Key_Backspace};
        if (std::ranges::find(kKeys, static_cast<QKeyEvent*>(event)->key()) != kKeys.end()) {
            event->accept();
            return true;
        }
    }
    return HistogramChart::event(event);
}

void OpacityCurveView::keyPressEvent(QKeyEvent* event) {
    const auto& points = rendering_.curve().points();
    const int key = event->key();
    if (!points.empty() && (key == Qt::Key_PageDown || key == Qt::Key_PageUp)) {
        const std::size_t last = points.size() - 1;
        const std::size_t at = current_.value_or(key == Qt::Key_PageUp ? last : 1);
        current_ = key == Qt::Key_PageUp ? std::min(at + 1, last) : at - std::min<std::size_t>(at, 1);
        viewport()->update();
    } else if (current_ && (key == Qt::Key_Left || key == Qt::Key_Right)) {
        move(key == Qt::Key_Right ? kCurveValueStep : -kCurveValueStep, 0);
    } else if (current_ && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        move(0, key == Qt::Key_Up ? kCurveOpacityStep : -kCurveOpacityStep);
    } else if (current_ && key == Qt::Key_Insert && *current_ + 1 < points.size()) {
        const vm::OpacityPoint& a = points[*current_];
        const vm::OpacityPoint& b = points[*current_ + 1];
        add({(a.value + b.value) / 2, (a.opacity + b.opacity) / 2});
    } else if (current_ && (key == Qt::Key_Delete || key == Qt::Key_Backspace)) {
        remove(*current_);
    } else {
        HistogramChart::keyPressEvent(event);
    }
}

} // namespace pollard::app

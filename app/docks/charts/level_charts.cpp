#include "docks/charts/level_charts.hpp"

#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

constexpr double kEdgeReach = 7;  ///< px around an edge within which a press grabs it
constexpr double kKeyStep = 0.01; ///< fraction of the levels shown

} // namespace

LevelChart::LevelChart(const char* name, QSize least, QWidget* parent)
    : Chart(name, {2, 6, 2, 0}, least, parent), levels_(new QValueAxis), values_(new QValueAxis),
      heights_(new QValueAxis), edges_(kEdgeReach) {
    addAxis(levels_, Qt::AlignBottom);
    addAxis(values_, Qt::AlignBottom);
    levels_->setVisible(false);
    addAxis(heights_, Qt::AlignLeft);
    heights_->setRange(0, 1.04);
    heights_->setVisible(false);
    values_->setTickCount(3);
    chart()->setLocalizeNumbers(true);
}

void LevelChart::setEnds(const vm::LevelWindow& levels, const vm::LevelWindow& values, bool areWhole, bool hasNumbers,
                         const QString& unit) {
    ends_ = levels;
    values_->setLabelFormat(areWhole ? QStringLiteral("%.0f") : QStringLiteral("%.4g"));
    values_->setRange(values.low, values.high);
    values_->setLabelsVisible(hasNumbers);
    values_->setTitleText(unit);
    values_->setTitleVisible(hasNumbers && !unit.isEmpty());
    levels_->setRange(levels.low, levels.high);
}

void LevelChart::plot(QAbstractSeries* series) { addSeries(series, levels_, heights_); }

IntervalHandles::Line LevelChart::line() const {
    const QRectF plot = chart()->plotArea();
    const vm::LevelWindow shown = hasWindow() ? window() : ends_;
    return {.left = plot.left(),
            .length = std::max(plot.width(), 1.0),
            .ends = {ends_.low, ends_.high},
            .value = {shown.low, shown.high},
            .limits = {0, static_cast<double>(maxLevel())},
            .step = 1,
            .movable = hasWindow(),
            .slidesWhenFull = true};
}

void LevelChart::drawCurve(QPainter&) {}

void LevelChart::drawForeground(QPainter* painter, const QRectF&) {
    if (hasWindow()) {
        const vm::LevelWindow shown = window();
        paintShade(*painter, pixelOf(shown.low), pixelOf(shown.high));
        painter->setRenderHint(QPainter::Antialiasing);
        drawCurve(*painter);
        IntervalHandles::paint(*painter, line(), chart()->plotArea(), *this);
    }
}

void LevelChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        edges_.press(line(), event->position().x());
    } else {
        Chart::mousePressEvent(event);
    }
}

void LevelChart::mouseMoveEvent(QMouseEvent* event) {
    if (edges_.dragged() == IntervalHandles::Part::none) {
        edges_.showCursor(*viewport(), line(), event->position().x());
        return;
    }
    const auto [low, high] = edges_.drag(line(), event->position().x());
    setWindow({low, high});
}

void LevelChart::mouseReleaseEvent(QMouseEvent*) { edges_.release(); }

void LevelChart::mouseDoubleClickEvent(QMouseEvent*) {
    if (hasWindow()) {
        autoWindow();
    }
}

void LevelChart::keyPressEvent(QKeyEvent* event) {
    const auto [part, steps] = IntervalHandles::keyOf(*event);
    if (!hasWindow() || part == IntervalHandles::Part::none) {
        Chart::keyPressEvent(event);
        return;
    }
    const double step = std::max(1.0, std::round((ends_.high - ends_.low) * kKeyStep)) * steps;
    vm::LevelWindow moved = window();
    if (part == IntervalHandles::Part::high) {
        moved.high = std::max(moved.high + step, moved.low + 1);
    } else {
        moved.low = std::min(moved.low + step, moved.high - 1);
    }
    setWindow(moved);
}

HistogramChart::HistogramChart(const char* name, QSize least, float strength, vm::HistogramViewModel& histogram,
                               vm::DisplayViewModel& display, QWidget* parent)
    : LevelChart(name, least, parent), histogram_(histogram), display_(display),
      area_(new QAreaSeries(new QLineSeries(this))), strength_(strength) {
    plot(area_);
    connect(&histogram_, &vm::HistogramViewModel::changed, this, &HistogramChart::showBins);
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &HistogramChart::showBins);
    applyStyle();
    showBins();
}

bool HistogramChart::isEmpty() const { return histogram_.isEmpty(); }

int HistogramChart::maxLevel() const { return display_.maxLevel(); }

void HistogramChart::styleSeries(const QPalette& palette) {
    QColor fill = palette.color(QPalette::WindowText);
    fill.setAlphaF(strength_);
    area_->setBrush(fill);
    area_->setPen(Qt::NoPen);
}

void HistogramChart::showBins() {
    const double start = histogram_.isEmpty() ? 0 : histogram_.domainMinimum();
    const double end = histogram_.isEmpty() ? 255 : std::max(histogram_.domainMaximum(), start + 1);
    // Bars stay in levels; the numbers below them are values of the file.
    setEnds({start, end}, {display_.valueOf(start), display_.valueOf(end)},
            display_.valueStep() == std::floor(display_.valueStep()), !histogram_.isEmpty(), display_.valueUnit());
    area_->upperSeries()->replace(histogram_.outline());
    viewport()->update();
}

HistogramView::HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent)
    : HistogramChart("histogram", {0, 140}, 0.55F, histogram, display, parent) {
    setAccessibleName(tr("Histogram of grey levels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the window, with Shift the upper one; the "
                                "numbers below hold the same values."));
    setToolTip(tr("Grey levels with the tone curve. Drag an edge of the window, or the range between the edges; "
                  "double-click sets it automatically."));
    connect(&display, &vm::DisplayViewModel::windowChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display, &vm::DisplayViewModel::toneCurveChanged, viewport(), qOverload<>(&QWidget::update));
}

bool HistogramView::hasWindow() const { return !isEmpty(); }

vm::LevelWindow HistogramView::window() const { return {display().windowLow(), display().windowHigh()}; }

void HistogramView::setWindow(const vm::LevelWindow& window) { display().setWindow(window.low, window.high); }

void HistogramView::autoWindow() { display().autoWindow(); }

QPolygonF HistogramView::toneCurve(const QRectF& plot) const {
    QPolygonF curve;
    const double low = display().windowLow();
    const double high = display().windowHigh();
    // Sampled evenly over the visible px, so that a window far wider than the chart is drawn as finely as a narrow one.
    const double left = pixelOf(low);
    const double right = pixelOf(high);
    const int steps = std::max(1, static_cast<int>(right - left));
    for (int i = 0; i <= steps; ++i) {
        const double x = left + (right - left) * i / steps;
        const double level = ends().low + (x - plot.left()) / std::max(plot.width(), 1.0) * (ends().high - ends().low);
        const double t = vm::applyCurve(display().toneCurve(), display().gamma(), (level - low) / (high - low));
        curve << QPointF(x, plot.bottom() - t * plot.height());
    }
    return curve;
}

void HistogramView::drawCurve(QPainter& painter) {
    QColor ramp = palette().color(QPalette::Highlight);
    ramp.setAlphaF(0.6F);
    painter.setPen(QPen(ramp, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(toneCurve(chart()->plotArea()));
}

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
    if (curve.isEmpty()) { // starts with the opacity by the window of the display
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

/// Keeps the keys of points, some of which are shortcuts of the window.
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

namespace {

using Composite = vm::CompositeViewModel;

constexpr int kBins = 256;
constexpr int kLightest = 105; ///< lightness of a line on a light background
constexpr int kDarkest = 90;   ///< and on a dark one

/// Heights 0..1 over the levels [start, end), by the logarithm of the number of pixels.
QList<QPointF> outlineOf(const vm::LevelHistogram& histogram, int start, int end) {
    const int width = std::max(1, (end - start + kBins - 1) / kBins);
    std::vector<double> bins(static_cast<std::size_t>((end - start + width - 1) / width));
    for (int level = start; level < std::min(end, int{histogram.maxLevel()} + 1); ++level) {
        bins[static_cast<std::size_t>((level - start) / width)] +=
            static_cast<double>(histogram.counts[static_cast<std::size_t>(level)]);
    }
    const double most = std::max(std::log1p(*std::ranges::max_element(bins)), 1.0);
    QList<QPointF> points;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        points << QPointF(start + (static_cast<double>(i) + 0.5) * width, std::log1p(bins[i]) / most);
    }
    return points;
}

/// A colour that is legible on the background.
QColor lineColour(const QColor& colour, const QPalette& palette) {
    const bool isDark = palette.color(QPalette::Window).lightness() < 128;
    const int lightness = isDark ? std::max(colour.lightness(), kDarkest) : std::min(colour.lightness(), kLightest);
    return QColor::fromHsl(colour.hslHue(), colour.hslSaturation(), lightness);
}

} // namespace

ChannelHistograms::ChannelHistograms(Composite& composite, QWidget* parent)
    : LevelChart("channelHistograms", {0, 112}, parent), composite_(composite) {
    setAccessibleName(tr("Histograms of the channels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the channel's window, with Shift the upper "
                                "one; the numbers below hold the same values."));
    setToolTip(tr("Levels of all shown channels. Drag an edge of the selected channel's window, or the range between "
                  "the edges; double-click sets it automatically."));
    connect(&composite_, &Composite::channelsChanged, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::stateChanged, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::rowsMoved, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::looksChanged, this, [this] { styleSeries(QGuiApplication::palette()); });
    showChannels();
}

void ChannelHistograms::setRow(int row) {
    row_ = row;
    showChannels();
}

void ChannelHistograms::showChannels() {
    for (QLineSeries* series : std::exchange(series_, {})) {
        chart()->removeSeries(series);
        delete series;
    }
    const bool isByte = composite_.maxLevel() < 256;
    vm::LevelWindow levels{static_cast<double>(composite_.maxLevel()), 1};
    const auto eachRead = [this](auto visit) {
        for (int row = 0; row < composite_.count(); ++row) {
            if (const Composite::Plane* plane = composite_.plane(row)) {
                visit(row, *plane);
            }
        }
    };
    eachRead([&](int, const Composite::Plane& plane) {
        levels = {std::min<double>(levels.low, plane.histogram->minimum),
                  std::max<double>(levels.high, plane.histogram->maximum + 1.0)};
    });
    levels = {isByte || levels.high <= levels.low ? 0 : levels.low, isByte ? 256 : levels.high};
    eachRead([&](int row, const Composite::Plane& plane) {
        auto* series = new QLineSeries(this);
        series->setProperty("row", row);
        series->replace(outlineOf(*plane.histogram, static_cast<int>(levels.low), static_cast<int>(levels.high)));
        plot(series);
        series_ << series;
    });
    const Composite::Plane* plane = hasWindow() ? composite_.plane(row_) : nullptr;
    const auto values = vm::valuesOf(levels, plane != nullptr ? plane->mapping : std::nullopt);
    setEnds(levels, {values.low, values.high},
            values.low == std::floor(values.low) && values.high == std::floor(values.high), plane != nullptr,
            plane != nullptr ? vm::greyUnit(plane->mapping) : QString());
    applyStyle();
}

void ChannelHistograms::styleSeries(const QPalette& palette) {
    for (QLineSeries* series : series_) {
        const int row = series->property("row").toInt();
        if (row < composite_.count()) {
            series->setVisible(row == row_ || composite_.isDrawn(row));
            series->setPen(QPen(lineColour(composite_.look(row).colour, palette), row == row_ ? 2.0 : 1.2));
        }
    }
    viewport()->update();
}

bool ChannelHistograms::hasWindow() const {
    return row_ >= 0 && row_ < composite_.count() && composite_.plane(row_) != nullptr;
}

vm::LevelWindow ChannelHistograms::window() const { return composite_.window(row_); }

int ChannelHistograms::maxLevel() const { return composite_.maxLevel(); }

void ChannelHistograms::setWindow(const vm::LevelWindow& window) { composite_.setWindow(row_, window); }

void ChannelHistograms::autoWindow() { composite_.autoWindow(row_); }

} // namespace pollard::app

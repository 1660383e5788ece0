#include "docks/charts/level_chart.hpp"

#include <QChart>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

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

} // namespace pollard::app

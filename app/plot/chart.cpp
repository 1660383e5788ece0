#include "plot/chart.hpp"

#include "theme/theme.hpp"

#include <QAbstractAxis>
#include <QAbstractSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>

namespace pollard::app {

QFont smallFont(QFont font) {
    font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

Chart::Chart(const char* name, const QMargins& margins, QSize least, QWidget* parent) : QChartView(parent) {
    setObjectName(QLatin1String(name));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(least);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart()->legend()->hide();
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setMargins(margins);
    chart()->setBackgroundRoundness(0);
}

void Chart::addAxis(QAbstractAxis* axis, Qt::Alignment side, bool grid) {
    chart()->addAxis(axis, side);
    axis->setGridLineVisible(grid);
    if (auto* labels = qobject_cast<QCategoryAxis*>(axis)) {
        labels->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    }
}

void Chart::addSeries(QAbstractSeries* series, QAbstractAxis* across, QAbstractAxis* up) {
    chart()->addSeries(series);
    series->attachAxis(across);
    series->attachAxis(up);
}

void Chart::showAxes(bool shown, const QAbstractAxis* never) {
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setVisible(shown && axis != never);
    }
}

void Chart::setTicks(QCategoryAxis& axis, double low, double high, const QList<ChartTick>& ticks,
                     const std::function<double(double)>& placeOf) {
    for (const QString& label : axis.categoriesLabels()) {
        axis.remove(label);
    }
    axis.setStartValue(low);
    for (const ChartTick& tick : ticks) {
        axis.append(tick.label, placeOf ? placeOf(tick.value) : tick.value);
    }
    axis.setRange(low, high);
}

void Chart::applyStyle() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(smallFont(font()));
        axis->setTitleFont(smallFont(font()));
        axis->setTitleBrush(palette.color(QPalette::WindowText));
    }
    styleSeries(palette);
}

double Chart::pixelAt(double part) const {
    const QRectF plot = chart()->plotArea();
    return plot.left() + std::clamp(part, 0.0, 1.0) * plot.width();
}

double Chart::partOf(double pixel) const {
    const QRectF plot = chart()->plotArea();
    return std::clamp((pixel - plot.left()) / std::max(plot.width(), 1.0), 0.0, 1.0);
}

void Chart::paintLine(QPainter& painter, double pixel) const {
    const QRectF plot = chart()->plotArea();
    painter.drawLine(QPointF(pixel, plot.top()), QPointF(pixel, plot.bottom()));
}

void Chart::paintShade(QPainter& painter, double low, double high) const {
    const QRectF plot = chart()->plotArea();
    QColor shade = palette().color(QPalette::Window);
    shade.setAlphaF(0.66F);
    painter.fillRect(QRectF(plot.topLeft(), QPointF(low, plot.bottom())), shade);
    painter.fillRect(QRectF(QPointF(high, plot.top()), plot.bottomRight()), shade);
}

void Chart::paintText(QPainter& painter, const QString& text) const {
    painter.setPen(secondaryText(QGuiApplication::palette()));
    painter.drawText(QRectF(viewport()->rect()).adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void Chart::paintHead(QPainter& painter, int margin, const HeadText& left, const QString& middle,
                      const HeadText& right) const {
    const QRectF head(margin, 1, viewport()->width() - 2.0 * margin, 16);
    painter.setFont(smallFont(font()));
    painter.setPen(left.second);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, left.first);
    painter.setPen(right.second);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, right.first);
    painter.setPen(secondaryText(palette()));
    painter.drawText(head, Qt::AlignCenter, middle);
}

void Chart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyStyle();
    }
}

} // namespace pollard::app

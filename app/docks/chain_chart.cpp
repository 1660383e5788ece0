#include "docks/chain_chart.hpp"

#include "chain_view_model.hpp"
#include "theme/theme.hpp"

#include <QChart>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

using Chain = vm::ChainViewModel;

constexpr int kMostPoints = 1000; ///< a chain can have 65,536
constexpr int kLevelTicks = 4;
constexpr double kMarkSize = 9;
constexpr double kMostDecades = 3; ///< that have room for a label each
constexpr double kTen = 10;
constexpr double kThousand = 1000;

constexpr double kSteps = 400; ///< of an axis that can be told apart

/// Leaves out points that nobody can tell from the one before; the first and the last stay.
/// @param levels,decades that the axes show
QList<QPointF> withoutRepeats(const QList<QPointF>& points, double levels, double decades) {
    QList<QPointF> kept;
    kept.reserve(points.size());
    const auto differ = [&](QPointF a, QPointF b) {
        return std::abs(a.x() - b.x()) * kSteps >= levels || std::abs(std::log10(a.y() / b.y())) * kSteps >= decades;
    };
    for (const QPointF& point : points) {
        if (kept.isEmpty() || differ(point, kept.back())) {
            kept.append(point);
        }
    }
    if (kept.back() != points.back()) {
        kept.append(points.back());
    }
    return kept;
}

/// Every so many rows is drawn.
int strideOf(int rows) { return (rows + kMostPoints - 1) / kMostPoints; }

} // namespace

ChainChart::ChainChart(Chain& chain, QWidget* parent)
    : QChartView(parent), chain_(chain), line_(new QLineSeries), mark_(new QScatterSeries), levels_(new QValueAxis),
      areas_(new QLogValueAxis) {
    setObjectName(QStringLiteral("chainChart"));
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(120);
    setAcceptDrops(false); // files are for the window
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Area against level along the chain"));
    setToolTip(
        tr("Area of the components around the pixel against their level. Where it is flat, a component stays the "
           "same over many levels. Click or drag to go along the chain."));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(2, 4, 8, 0));
    chart->setBackgroundRoundness(0);
    chart->addAxis(levels_, Qt::AlignBottom);
    chart->addAxis(areas_, Qt::AlignLeft);
    for (QXYSeries* series : {static_cast<QXYSeries*>(line_), static_cast<QXYSeries*>(mark_)}) {
        chart->addSeries(series);
        series->attachAxis(levels_);
        series->attachAxis(areas_);
    }
    levels_->setLabelFormat(QStringLiteral("%.0f"));
    levels_->setTitleText(tr("Level"));
    levels_->setTickCount(kLevelTicks);
    areas_->setLabelFormat(QStringLiteral("%.0f"));
    areas_->setTitleText(tr("Area (px)"));
    mark_->setMarkerSize(kMarkSize);
    connect(&chain_, &Chain::chainChanged, this, &ChainChart::showChain);
    connect(&chain_, &Chain::valuesChanged, this, &ChainChart::showChain);
    connect(&chain_, &Chain::currentChanged, this, &ChainChart::showCurrent);
    dress();
    showChain();
}

void ChainChart::dress() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    line_->setPen(QPen(palette.color(QPalette::WindowText), 1.5));
    mark_->setColor(palette.color(QPalette::Highlight));
    mark_->setBorderColor(palette.color(QPalette::Window));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(levels_), static_cast<QAbstractAxis*>(areas_)}) {
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setTitleBrush(secondaryText(palette));
    }
}

void ChainChart::showChain() {
    const int rows = chain_.rowCount();
    const bool known = rows > 0 && chain_.value(0, Chain::areaColumn).has_value();
    QList<QPointF> points;
    if (known) {
        const auto add = [&](int row) {
            points.append({*chain_.value(row, Chain::levelColumn), *chain_.value(row, Chain::areaColumn)});
        };
        for (int row = 0; row < rows; row += strideOf(rows)) {
            add(row);
        }
        if ((rows - 1) % strideOf(rows) != 0) {
            add(rows - 1);
        }
        line_->clear(); // or it would be laid out anew for every axis
        const auto [low, high] = std::minmax({points.front().x(), points.back().x()});
        levels_->setRange(low, high > low ? high : low + 1);
        const double decades = std::ceil(std::log10(std::max(points.back().y(), 10.0)));
        areas_->setRange(1, std::pow(10, decades));
        areas_->setBase(decades > kMostDecades ? kThousand : kTen); // a label a step
        points = withoutRepeats(points, high - low, decades);
    }
    line_->replace(points);
    levels_->setVisible(known);
    areas_->setVisible(known);
    showCurrent();
}

void ChainChart::showCurrent() {
    const auto level = chain_.value(chain_.current(), Chain::levelColumn);
    const auto area = chain_.value(chain_.current(), Chain::areaColumn);
    mark_->replace(level && area ? QList<QPointF>{{*level, *area}} : QList<QPointF>{});
}

QPointF ChainChart::placeOf(int row) const {
    const auto level = chain_.value(row, Chain::levelColumn);
    const auto area = chain_.value(row, Chain::areaColumn);
    return level && area ? QPointF(mapFromScene(chart()->mapToScene(chart()->mapToPosition({*level, *area}, line_))))
                         : QPointF();
}

void ChainChart::chooseAt(QPointF position) {
    if (chain_.rowCount() == 0) {
        return;
    }
    const QPointF scene = mapToScene(position.toPoint());
    const double level = chart()->mapToValue(chart()->mapFromScene(scene), line_).x();
    // Levels only fall, or only rise, towards the root.
    const double first = *chain_.value(0, Chain::levelColumn);
    const double last = *chain_.value(chain_.rowCount() - 1, Chain::levelColumn);
    const double way = last < first ? -1 : 1;
    int low = 0;
    int high = chain_.rowCount() - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (way * *chain_.value(middle, Chain::levelColumn) < way * level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const auto distance = [&](int row) { return std::abs(*chain_.value(row, Chain::levelColumn) - level); };
    chain_.setCurrent(low > 0 && distance(low - 1) < distance(low) ? low - 1 : low);
}

void ChainChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        chooseAt(event->position());
    }
}

void ChainChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        chooseAt(event->position());
    }
}

void ChainChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app

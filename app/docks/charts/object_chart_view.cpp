#include "docks/charts/object_chart_view.hpp"

#include "components/objects/object_chart.hpp"
#include "plot/chart_frame.hpp"
#include "theme/density_ramp.hpp"
#include "theme/theme.hpp"
#include "vm/objects/object_chart_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kPoint = 2.2; ///< radius, px
constexpr double kSelectedPoint = 3.6;
constexpr double kPointReach = 8;  ///< px around a click within which it hits a point
constexpr double kClickSpread = 4; ///< px that the pointer may move during a click

} // namespace

ObjectChartView::ObjectChartView(vm::ObjectChartModel& chart, vm::ObjectTableModel& table, QWidget* parent)
    : QWidget(parent), chart_(chart), table_(table) {
    setObjectName(QStringLiteral("objectsChart"));
    explain(this, tr("Chart of the objects"),
            tr("Click a point or a bar to select its objects; drag over a part to select all in it"));
    connect(&chart_, &vm::ObjectChartModel::changed, this, &ObjectChartView::onChart);
    connect(&table_.marks(), &vm::ObjectMarks::selectionChanged, this, qOverload<>(&QWidget::update));
    onChart();
}

void ObjectChartView::onChart() {
    density_ = {};
    if (const auto chart = chart_.chart()) {
        setAccessibleDescription(tr("%1 objects").arg(chart->objects));
    }
    update();
}

QRectF ObjectChartView::plot() const { return plotWithin(size()); }

QPointF ObjectChartView::pixelOf(QPointF place) const {
    const QRectF area = plot();
    return {area.left() + place.x() * area.width(), area.bottom() - place.y() * area.height()};
}

QPointF ObjectChartView::placeAt(QPointF pixel) const {
    const QRectF area = plot();
    return {std::clamp((pixel.x() - area.left()) / area.width(), 0.0, 1.0),
            std::clamp((area.bottom() - pixel.y()) / area.height(), 0.0, 1.0)};
}

QRectF ObjectChartView::draggedPart() const { return QRectF(placeAt(*pressed_), placeAt(pointer_)).normalized(); }

void ObjectChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto chart = chart_.chart();
    if (!chart) {
        painter.setPen(secondaryText(palette()));
        painter.drawText(rect(), Qt::AlignCenter, tr("No objects to chart"));
        return;
    }
    paintAxes(painter, *chart);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!chart->bars.empty()) {
        paintBars(painter, *chart);
    } else {
        if (!chart->cells.empty()) {
            paintCells(painter, *chart);
        }
        paintPoints(painter, *chart);
    }
    if (pressed_) {
        const QRectF part = draggedPart();
        QColor fill = palette().color(QPalette::Highlight);
        painter.setPen(fill);
        fill.setAlphaF(0.2F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(pixelOf(part.topLeft()), pixelOf(part.bottomRight())).normalized());
    }
}

void ObjectChartView::paintAxes(QPainter& painter, const ObjectChart& chart) const {
    const QRectF area = plot();
    const auto sideOf = [](const ChartAxis& axis, double length, const QString& title) {
        const int most = std::max(2, static_cast<int>(length / kTickRoom));
        return ChartSide{ticksBetween(axis.low, axis.high, axis.logarithmic, most),
                         [&axis](double value) { return axis.placeOf(value); }, title};
    };
    paintChartFrame(painter, area, sideOf(chart.x, area.width(), table_.titleOf(chart.spec.x)),
                    sideOf(chart.y, area.height() * 1.6, chart.spec.y ? table_.titleOf(*chart.spec.y) : tr("Objects")),
                    palette());
}

void ObjectChartView::paintBars(QPainter& painter, const ObjectChart& chart) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    constexpr auto kBars = static_cast<double>(ObjectChart::kBars);
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        if (chart.bars[i] > 0) {
            const QPointF corner = pixelOf({static_cast<double>(i) / kBars, chart.y.placeOf(chart.bars[i])});
            const QPointF foot = pixelOf({static_cast<double>(i + 1) / kBars, 0});
            painter.drawRect(QRectF(corner, foot - QPointF(foot.x() - corner.x() > 4 ? 1 : 0, 0)));
        }
    }
}

void ObjectChartView::paintPoints(QPainter& painter, const ObjectChart& chart) const {
    QColor plain = palette().color(QPalette::Highlight);
    plain.setAlphaF(0.75F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(plain);
    const auto listing = table_.listing();
    const auto* const classified = listing ? listing->classified.get() : nullptr;
    for (const ChartPoint& point : chart.points) {
        if (classified != nullptr && point.label <= classified->numbers.size()) {
            const ObjectClass* const own = classified->classOf(point.label);
            painter.setBrush(own != nullptr ? QColor::fromRgb(own->colour) : secondaryText(palette()));
        }
        painter.drawEllipse(pixelOf({point.x, point.y}), kPoint, kPoint);
    }
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.setBrush(palette().color(QPalette::Text));
    for (const ChartPoint& point : chart.points) {
        if (table_.marks().isSelected(point.label)) {
            painter.drawEllipse(pixelOf({point.x, point.y}), kSelectedPoint, kSelectedPoint);
        }
    }
}

void ObjectChartView::paintCells(QPainter& painter, const ObjectChart& chart) {
    constexpr int kGrid = static_cast<int>(ObjectChart::kGrid);
    if (density_.isNull()) {
        density_ = QImage(kGrid, kGrid, QImage::Format_ARGB32_Premultiplied);
        const DensityRamp ramp = densityRamp(palette());
        for (int y = 0; y < kGrid; ++y) {
            for (int x = 0; x < kGrid; ++x) {
                const auto count = chart.cells[static_cast<std::size_t>(kGrid - 1 - y) * ObjectChart::kGrid +
                                               static_cast<std::size_t>(x)];
                density_.setPixel(x, y, ramp[densityStep(count, chart.largest)]);
            }
        }
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(plot(), density_);
}

void ObjectChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && chart_.chart()) {
        pressed_ = pointer_ = event->position();
    }
}

void ObjectChartView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (pressed_) {
        update();
    }
}

void ObjectChartView::mouseReleaseEvent(QMouseEvent* event) {
    if (!pressed_ || event->button() != Qt::LeftButton) {
        return;
    }
    pointer_ = event->position();
    const auto chart = chart_.chart();
    const QRectF part = draggedPart();
    const bool click = (pointer_ - *pressed_).manhattanLength() < kClickSpread;
    pressed_.reset();
    update();
    if (!chart) {
        return;
    }
    if (!click || chart->points.empty()) {
        chart_.selectWithin(part);
        return;
    }
    const auto distance = [&](const ChartPoint& point) {
        const QPointF apart = pixelOf({point.x, point.y}) - pointer_;
        return std::hypot(apart.x(), apart.y());
    };
    const auto nearest = std::ranges::min_element(chart->points, {}, distance);
    chart_.select(distance(*nearest) <= kPointReach ? nearest->label : 0);
}

void ObjectChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        density_ = {};
        update();
    }
}

} // namespace pollard::app

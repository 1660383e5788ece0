#include "docks/objects/objects_chart_panel.hpp"

#include "components/objects/object_chart.hpp"
#include "plot/chart_frame.hpp"
#include "theme/colours.hpp"
#include "theme/theme.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/recipe/object_chart_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace pollard::app {
namespace {

constexpr double kPoint = 2.2; ///< radius, px
constexpr double kSelectedPoint = 3.6;
constexpr double kPointReach = 8;  ///< px between a point and a click that hits the point
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

namespace {

constexpr int kHistogram = -1; ///< instead of a second feature

/// The data of an entry: the number of a feature, or the name of a column.
QVariant dataOf(const ObjectQuantity& quantity) {
    return quantity.isColumn() ? QVariant(QString::fromStdString(quantity.column))
                               : QVariant(static_cast<int>(quantity.feature));
}

ObjectQuantity quantityOf(const QVariant& data) {
    return data.typeId() == QMetaType::QString ? ObjectQuantity(data.toString().toStdString())
                                               : ObjectQuantity(static_cast<ObjectFeature>(data.toInt()));
}

} // namespace

ObjectsChartPanel::ObjectsChartPanel(vm::ObjectTableModel& table, QWidget* parent) : QWidget(parent), chart_(table) {
    auto* x = makeControl<QComboBox>(this, "objectsChartX", tr("Feature of the x axis"),
                                     tr("Feature that is shown from left to right"));
    auto* y = makeControl<QComboBox>(this, "objectsChartY", tr("Feature of the y axis"),
                                     tr("Feature that is shown upwards, or the number of objects"));
    auto* logarithmic =
        makeControl<QCheckBox>(this, "objectsChartLog", tr("Logarithmic axes"),
                               tr("Equal ratios are equally long, where all values are above 0"), tr("Lo&g"));
    for (QComboBox* box : {x, y}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
    }
    const auto offer = [this, x, y, &table] {
        const QSignalBlocker quietX(x);
        const QSignalBlocker quietY(y);
        for (QComboBox* box : {x, y}) {
            box->clear();
            if (box == y) {
                box->addItem(tr("Histogram"), kHistogram);
            }
            for (const ObjectFeatureInfo& info : vm::describedFeatures()) {
                box->addItem(vm::featureName(info.feature), static_cast<int>(info.feature));
            }
            for (const std::string& column : table.channelColumns()) {
                box->addItem(table.titleOf(ObjectQuantity(column)), dataOf(ObjectQuantity(column)));
            }
        }
        x->setCurrentIndex(x->findData(dataOf(chart_.x())));
        y->setCurrentIndex(y->findData(chart_.y() ? dataOf(*chart_.y()) : QVariant(kHistogram)));
    };
    follow(this, offer, table, &vm::ObjectTableModel::columnsChanged);
    using Chart = vm::ObjectChartModel;
    couple(
        x, chart_, [](const Chart& chart) { return dataOf(chart.x()); },
        [](Chart& chart, const QVariant& data) { chart.setX(quantityOf(data)); }, &Chart::specChanged);
    couple(
        y, chart_, [](const Chart& chart) { return chart.y() ? dataOf(*chart.y()) : QVariant(kHistogram); },
        [](Chart& chart, const QVariant& data) {
            chart.setY(data == QVariant(kHistogram) ? std::nullopt : std::optional(quantityOf(data)));
        },
        &Chart::specChanged);
    couple(logarithmic, chart_, &Chart::isLogarithmic, &Chart::setLogarithmic, &Chart::specChanged);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(y, 1);
    head->addWidget(new CaptionLabel(tr("by"), this));
    head->addWidget(x, 1);
    head->addWidget(logarithmic);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(new ObjectChartView(chart_, table, this), 1);
}

void ObjectsChartPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    chart_.setActive(true);
}

void ObjectsChartPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {
        chart_.setActive(false);
    }
}

} // namespace pollard::app

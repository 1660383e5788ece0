#include "docks/tree/attribute_plane_view.hpp"

#include "plot/chart_ticks.hpp"
#include "theme/theme.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QGuiApplication>

#include <algorithm>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

namespace {

constexpr int kPixelsPerTickX = 64;
constexpr int kPixelsPerTickY = 30;

QString titleOf(AttributeId id) {
    const QString title = vm::attributeTitle(id);
    const QString unit = vm::fromUtf8(attributeInfo(id).unit);
    const bool complete = unit.isEmpty() || title.contains(u'('); // "Height (grey)" beside "Height (px)"
    return complete ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

} // namespace

AttributePlaneView::AttributePlaneView(Plane& plane, QWidget* parent)
    : QChartView(parent), plane_(plane), axes_{new QCategoryAxis, new QCategoryAxis} {
    setObjectName(QStringLiteral("planeView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(200, 150);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    explain(this, tr("Attribute plane"),
            tr("How many components have which values of two attributes, on a logarithmic scale of colours.\n"
               "Drag: draw a rectangle that filters, move it, or move one of its sides. Double click or Esc: remove "
               "it.\nArrows: move it by a cell, with Shift its upper right corner, with Ctrl by ten."));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(2, kMarginal + kGap, kMarginal + kGap, 0));
    chart->setBackgroundRoundness(0);
    chart->addAxis(axes_[0], Qt::AlignBottom);
    chart->addAxis(axes_[1], Qt::AlignLeft);
    for (QCategoryAxis* axis : axes_) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setRange(0, 1);
    }
    connect(chart, &QChart::plotAreaChanged, this, [this] {
        forgetDensity();
        showTicks();
    });
    connect(scene(), &QGraphicsScene::changed, this, [this] { ground_ = {}; });
    connect(&plane_, &Plane::changed, this, &AttributePlaneView::onPlane);
    connect(&plane_, &Plane::rectangleChanged, this, &AttributePlaneView::updateRectangle);
    connect(&plane_, &Plane::markChanged, this, &AttributePlaneView::updateMark);
    connect(&plane_, &Plane::selectedCellsChanged, this, [this] {
        forgetDensity();
        viewport()->update();
    });
    connect(&plane_, &Plane::inverseChanged, this, &AttributePlaneView::updateMarks);
    dress();
    onPlane();
}

void AttributePlaneView::setLasso(bool lasso) {
    if (lasso == lasso_) {
        return;
    }
    endDrag();
    lasso_ = lasso;
    enclosed_.clear();
    viewport()->update();
}

void AttributePlaneView::dress() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    chart()->setPlotAreaBackgroundBrush(palette.color(QPalette::Base));
    chart()->setPlotAreaBackgroundVisible(true);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (QCategoryAxis* axis : axes_) {
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setTitleBrush(palette.color(QPalette::WindowText));
    }
    forgetDensity();
}

void AttributePlaneView::onPlane() {
    const auto counted = plane_.counted();
    if (!counted) {
        endDrag();
        enclosed_.clear();
    }
    forgetDensity();
    for (QCategoryAxis* axis : axes_) {
        axis->setVisible(counted != nullptr);
    }
    if (counted) {
        axes_[0]->setTitleText(titleOf(counted->x.attribute));
        axes_[1]->setTitleText(titleOf(counted->y.attribute));
    }
    chart()->setPlotAreaBackgroundVisible(counted != nullptr);
    showTicks();
    setPointed(pointed_);
    viewport()->update();
}

void AttributePlaneView::showTicks() {
    const auto counted = plane_.counted();
    if (!counted) {
        return;
    }
    const auto fill = [](QCategoryAxis& shown, const PlaneAxis& axis, double room) {
        for (const QString& label : shown.categoriesLabels()) {
            shown.remove(label);
        }
        const ChartAxis& values = axis.values;
        const int most = std::max(2, static_cast<int>(room));
        for (const ChartTick& tick : ticksBetween(values.low, values.high, values.logarithmic, most)) {
            // An integer is labelled in the middle of its cell.
            const double place = axis.holds(tick.value) ? axis.placeOf(tick.value) : values.placeOf(tick.value);
            shown.append(tick.label, std::clamp(place, 0.0, 1.0));
        }
        shown.setRange(0, 1);
    };
    fill(*axes_[0], counted->x, chart()->plotArea().width() / kPixelsPerTickX);
    fill(*axes_[1], counted->y, chart()->plotArea().height() / kPixelsPerTickY);
}

QPointF AttributePlaneView::pixelOf(QPointF place) const {
    const QRectF area = chart()->plotArea();
    return {area.left() + place.x() * area.width(), area.bottom() - place.y() * area.height()};
}

QPointF AttributePlaneView::placeAt(QPointF pixel) const {
    const QRectF area = chart()->plotArea();
    return {(pixel.x() - area.left()) / std::max(1.0, area.width()),
            (area.bottom() - pixel.y()) / std::max(1.0, area.height())};
}

QRectF AttributePlaneView::rectanglePixels() const {
    const auto places = plane_.rectanglePlaces();
    return places ? QRectF(pixelOf(places->topLeft()), pixelOf(places->bottomRight())).normalized() : QRectF();
}

void AttributePlaneView::setPointed(std::optional<QPointF> place) {
    pointed_ = place;
    const QString text = place ? plane_.readout(*place) : QString();
    setAccessibleDescription(text.isEmpty() ? plane_.summary() : text);
    emit pointedChanged();
}

} // namespace pollard::app

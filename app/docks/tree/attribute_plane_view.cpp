#include "docks/tree/attribute_plane_view.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include "attributes/grey_values.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <optional>
#include <utility>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

namespace {

constexpr int kPixelsPerTickX = 64;
constexpr int kPixelsPerTickY = 30;
constexpr int kBesideThePlane = kMarginal + kMarginalGap + 48; ///< px of the histogram, the axis and its title, about

QString titleOf(AttributeId id, const std::optional<ValueMapping>& mapping) {
    const QString title = vm::attributeTitle(id);
    const QString unit = vm::fromUtf8(vm::columnUnitText(id, mapping));
    const bool complete = unit.isEmpty() || title.contains(u'('); // "Height (grey)" beside "Height (px)"
    return complete ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

} // namespace

AttributePlaneView::AttributePlaneView(Plane& plane, QWidget* parent)
    : Chart("planeView", {2, kMarginal + kMarginalGap, kMarginal + kMarginalGap, 0}, {200, 150}, parent),
      plane_(plane), axes_{new QCategoryAxis, new QCategoryAxis}, picture_(plane), marks_(plane), input_(plane) {
    explain(this, tr("Attribute plane"),
            tr("Number of components by two attributes, on a logarithmic scale of colours.\nDrag: draw a rectangle "
               "that filters, move it, or move one of its sides. Double click or Esc: remove it.\nArrows: move it by a "
               "cell, with Shift its upper right corner, with Ctrl by ten."));
    addAxis(axes_[0], Qt::AlignBottom, true);
    addAxis(axes_[1], Qt::AlignLeft, true);
    axes_[0]->setRange(0, 1);
    axes_[1]->setRange(0, 1);
    connect(chart(), &QChart::plotAreaChanged, this, &AttributePlaneView::forgetImage);
    connect(scene(), &QGraphicsScene::changed, this, [this] { ground_ = {}; });
    connect(&plane_, &Plane::changed, this, &AttributePlaneView::onPlane);
    connect(&plane_, &Plane::rectangleChanged, this, [this] { updateMarks(marks_.changedByRectangle(area())); });
    connect(&plane_, &Plane::markChanged, this, [this] { updateMarks(marks_.changedByMark(area())); });
    connect(&plane_, &Plane::selectedCellsChanged, this, [this] {
        forgetImage();
        viewport()->update();
    });
    connect(&plane_, &Plane::inverseChanged, this, [this] { updateMarks(viewport()->rect()); });
    dress();
    onPlane();
}

void AttributePlaneView::setLasso(bool lasso) {
    if (lasso != input_.isLasso()) {
        input_.setLasso(lasso);
        viewport()->update();
    }
}

void AttributePlaneView::dressSeries(const QPalette& palette) {
    chart()->setPlotAreaBackgroundBrush(palette.color(QPalette::Base));
    chart()->setPlotAreaBackgroundVisible(true);
    forgetImage();
}

void AttributePlaneView::onPlane() {
    const auto counted = plane_.counted();
    if (!counted) {
        input_.cancel();
    }
    forgetImage();
    showAxes(counted != nullptr);
    if (counted) {
        axes_[0]->setTitleText(titleOf(counted->x.attribute, counted->mapping));
        axes_[1]->setTitleText(titleOf(counted->y.attribute, counted->mapping));
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
    // Room is that of the widget: that of the plane depends on the labels, and would make this depend on earlier ones.
    const auto fill = [&mapping = counted->mapping](QCategoryAxis& shown, const PlaneAxis& axis, int room,
                                                    int perTick) {
        const ChartAxis& values = axis.values;
        const int most = std::max(2, (room - kBesideThePlane) / perTick);
        const double low = columnValue(axis.attribute, values.low, mapping);
        const double high = columnValue(axis.attribute, values.high, mapping);
        setTicks(shown, 0, 1, ticksBetween(low, high, values.logarithmic && low > 0, most), [&](double value) {
            const double number = vm::columnNumber(axis.attribute, value, mapping);
            // An integer is labelled in the middle of its cell.
            return std::clamp(axis.holds(number) ? axis.placeOf(number) : values.placeOf(number), 0.0, 1.0);
        });
    };
    fill(*axes_[0], counted->x, viewport()->width(), kPixelsPerTickX);
    fill(*axes_[1], counted->y, viewport()->height(), kPixelsPerTickY);
}

PlaneArea AttributePlaneView::area() const { return {chart()->plotArea()}; }

QPointF AttributePlaneView::pixelOf(QPointF place) const { return area().pixelOf(place); }

void AttributePlaneView::setPointed(std::optional<QPointF> place) {
    pointed_ = place;
    const QString text = place ? plane_.readout(*place) : QString();
    setAccessibleDescription(text.isEmpty() ? plane_.summary() : text);
    emit pointedChanged();
}

QString AttributePlaneView::emptyText() const {
    switch (plane_.state()) {
    case Plane::State::computing:
        return tr("Measuring …");
    case Plane::State::failed:
        return plane_.problem();
    case Plane::State::empty:
    case Plane::State::ready:
        break;
    }
    return {};
}

void AttributePlaneView::updateMarks(const QRegion& region) {
    onlyMarks_ = true;
    viewport()->update(region);
}

void AttributePlaneView::forgetImage() {
    picture_.forget();
    ground_ = {};
}

void AttributePlaneView::makeGround() {
    ground_ = QPixmap(viewport()->size() * devicePixelRatioF());
    ground_.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&ground_);
    painter.setRenderHints(renderHints());
    render(&painter, viewport()->rect(), viewport()->rect());
}

void AttributePlaneView::paintEvent(QPaintEvent* event) {
    // Painting the chart takes milliseconds; a dragged rectangle reuses the cached one.
    if (std::exchange(onlyMarks_, false) && plane_.counted()) {
        if (ground_.devicePixelRatio() != devicePixelRatioF() || ground_.isNull()) {
            makeGround();
        }
        QPainter painter(viewport());
        painter.drawPixmap(0, 0, ground_);
    } else {
        Chart::paintEvent(event);
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    marks_.paint(painter, area(), input_.enclosed(), hasFocus());
}

void AttributePlaneView::drawForeground(QPainter* painter, const QRectF&) {
    if (plane_.counted()) {
        picture_.paint(*painter, area(), devicePixelRatioF());
    } else {
        paintText(*painter, emptyText());
    }
}

void AttributePlaneView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !input_.press(area(), event->position())) {
        Chart::mousePressEvent(event);
        return;
    }
    viewport()->update();
}

void AttributePlaneView::mouseMoveEvent(QMouseEvent* event) {
    if (input_.isDragging()) {
        const auto corners = input_.enclosed().size();
        input_.drag(area(), event->position());
        if (input_.enclosed().size() != corners) {
            updateMarks(viewport()->rect());
        }
    } else {
        viewport()->setCursor(input_.cursorAt(area(), event->position()));
    }
    // The line below describes the rectangle or the lasso until the pointer moves on.
    setPointed(input_.isDragging() ? std::nullopt : std::optional(area().placeAt(event->position())));
}

void AttributePlaneView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !input_.isDragging()) {
        Chart::mouseReleaseEvent(event);
        return;
    }
    input_.release(area(), event->position());
    viewport()->setCursor(input_.cursorAt(area(), event->position()));
    viewport()->update();
}

void AttributePlaneView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        input_.cancel();
        plane_.clear();
        viewport()->update();
    }
}

void AttributePlaneView::keyPressEvent(QKeyEvent* event) {
    if (input_.key(*event)) {
        viewport()->update();
    } else {
        Chart::keyPressEvent(event);
    }
}

bool AttributePlaneView::event(QEvent* event) {
    // Takes precedence over the window's shortcut for Escape.
    if (event->type() == QEvent::ShortcutOverride && input_.removes(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return Chart::event(event);
}

void AttributePlaneView::leaveEvent(QEvent* event) {
    Chart::leaveEvent(event);
    setPointed(std::nullopt);
}

void AttributePlaneView::resizeEvent(QResizeEvent* event) {
    Chart::resizeEvent(event);
    forgetImage();
    showTicks();
}

} // namespace pollard::app

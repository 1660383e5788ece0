#include "docks/tree/attribute_plane_view.hpp"

#include "attributes/grey_values.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pollard::app {

namespace {

constexpr double kSideReach = 5;    ///< px around a side within which a press grabs it
constexpr double kDragSpread = 3;   ///< px that the pointer may move during a click
constexpr double kLassoSpacing = 3; ///< px between two corners
constexpr int kLargeStep = 10;      ///< cells, with Ctrl

QPointF within(QPointF place) { return {std::clamp(place.x(), 0.0, 1.0), std::clamp(place.y(), 0.0, 1.0)}; }

} // namespace

void PlaneInput::setLasso(bool lasso) {
    cancel();
    lasso_ = lasso;
}

PlaneInput::Grip PlaneInput::gripAt(const PlaneArea& area, QPointF pixel) const {
    const QRectF held = area.pixelsOf(plane_.rectanglePlaces());
    Grip grip;
    if (held.isNull() || !held.adjusted(-kSideReach, -kSideReach, kSideReach, kSideReach).contains(pixel)) {
        return grip;
    }
    // Returns the nearer side if both are near.
    const auto near = [](double at, double low, double high, Qt::Edge first, Qt::Edge last) {
        const double toLow = std::abs(at - low);
        const double toHigh = std::abs(at - high);
        // Reduces the reach in a narrow rectangle, so that its middle can be grabbed.
        const double reach = std::min(kSideReach, std::max(1.0, (high - low) / 4));
        const bool beyond = at < low || at > high;
        if (std::min(toLow, toHigh) > (beyond ? kSideReach : reach)) {
            return Qt::Edges();
        }
        return Qt::Edges(toLow < toHigh ? first : last);
    };
    grip.sides = near(pixel.x(), held.left(), held.right(), Qt::LeftEdge, Qt::RightEdge) |
                 near(pixel.y(), held.top(), held.bottom(), Qt::TopEdge, Qt::BottomEdge);
    grip.moves = !grip.sides;
    return grip;
}

bool PlaneInput::press(const PlaneArea& area, QPointF pixel) {
    if (!plane_.counted() || !area.plot.adjusted(-kSideReach, -kSideReach, kSideReach, kSideReach).contains(pixel)) {
        return false;
    }
    dragging_ = true;
    drew_ = false;
    pressed_ = pixel;
    grip_ = lasso_ ? Grip{} : gripAt(area, pixel);
    held_ = plane_.rectanglePlaces().value_or(QRectF());
    enclosed_.clear();
    return true;
}

void PlaneInput::drag(const PlaneArea& area, QPointF pixel) {
    drew_ = drew_ || (pixel - pressed_).manhattanLength() >= kDragSpread;
    if (!drew_) {
        return;
    }
    if (!lasso_) {
        dragRectangle(area, pixel);
        return;
    }
    if (enclosed_.isEmpty()) {
        enclosed_ << within(area.placeAt(pressed_));
    }
    if ((area.pixelOf(enclosed_.back()) - pixel).manhattanLength() >= kLassoSpacing) {
        enclosed_ << within(area.placeAt(pixel));
    }
}

void PlaneInput::dragRectangle(const PlaneArea& area, QPointF pixel) {
    const QPointF by = area.placeAt(pixel) - area.placeAt(pressed_);
    if (grip_.moves) {
        plane_.reshape(held_.translated(std::clamp(by.x(), -held_.left(), 1 - held_.right()),
                                        std::clamp(by.y(), -held_.top(), 1 - held_.bottom())));
        return;
    }
    if (!grip_.sides) {
        plane_.brush(QRectF(within(area.placeAt(pressed_)), within(area.placeAt(pixel))).normalized());
        return;
    }
    // Qt's top edge is the upper side on the screen, where y is large.
    const auto along = [this](Qt::Edge side, double step) { return grip_.sides.testFlag(side) ? step : 0; };
    const QRectF places = held_
                              .adjusted(along(Qt::LeftEdge, by.x()), along(Qt::BottomEdge, by.y()),
                                        along(Qt::RightEdge, by.x()), along(Qt::TopEdge, by.y()))
                              .normalized();
    plane_.reshape(QRectF(within(places.topLeft()), within(places.bottomRight())));
}

void PlaneInput::release(const PlaneArea& area, QPointF pixel) {
    drag(area, pixel);
    dragging_ = false;
    if (lasso_ && enclosed_.size() > 2) {
        plane_.choose(enclosed_);
    } else {
        enclosed_.clear();
    }
}

void PlaneInput::cancel() {
    dragging_ = false;
    enclosed_.clear();
}

bool PlaneInput::removes(const QKeyEvent& event) const {
    return (event.key() == Qt::Key_Escape || event.key() == Qt::Key_Delete) &&
           (dragging_ || plane_.rectangle() || !enclosed_.isEmpty());
}

bool PlaneInput::key(const QKeyEvent& event) {
    if (removes(event)) {
        if (enclosed_.isEmpty()) {
            plane_.clear();
        }
        cancel();
        return true;
    }
    if (!plane_.counted()) {
        return false;
    }
    const int step = event.modifiers().testFlag(Qt::ControlModifier) ? kLargeStep : 1;
    const auto stepsOf = [&](Qt::Key back, Qt::Key on) {
        return event.key() == on ? step : event.key() == back ? -step : 0;
    };
    const int columns = stepsOf(Qt::Key_Left, Qt::Key_Right);
    const int rows = stepsOf(Qt::Key_Down, Qt::Key_Up);
    if (columns == 0 && rows == 0) {
        return false;
    }
    if (!plane_.rectangle()) {
        plane_.brush(QRectF(0.4, 0.4, 0.2, 0.2)); // initial rectangle
    } else if (event.modifiers().testFlag(Qt::ShiftModifier)) {
        plane_.resizeBy(columns, rows);
    } else {
        plane_.moveBy(columns, rows);
    }
    return true;
}

Qt::CursorShape PlaneInput::cursorAt(const PlaneArea& area, QPointF pixel) const {
    const bool inside = plane_.counted() && area.plot.contains(pixel);
    const Grip grip = inside && !lasso_ ? gripAt(area, pixel) : Grip{};
    const bool falling = grip.sides == (Qt::LeftEdge | Qt::TopEdge) || grip.sides == (Qt::RightEdge | Qt::BottomEdge);
    const bool across = grip.sides.testFlag(Qt::LeftEdge) || grip.sides.testFlag(Qt::RightEdge);
    const bool along = grip.sides.testFlag(Qt::TopEdge) || grip.sides.testFlag(Qt::BottomEdge);
    return !inside           ? Qt::ArrowCursor
           : grip.moves      ? Qt::SizeAllCursor
           : across && along ? (falling ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor)
           : across          ? Qt::SizeHorCursor
           : along           ? Qt::SizeVerCursor
                             : Qt::CrossCursor;
}

namespace {

using Plane = vm::AttributePlaneViewModel;

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
      plane_(plane), axes_{new QCategoryAxis, new QCategoryAxis}, image_(plane), marks_(plane), input_(plane) {
    explain(this, tr("Attribute plane"),
            tr("Number of components by two attributes, on a logarithmic scale of colours.\nDrag: draw a rectangle "
               "that filters, move it, or move one of its sides. Double click or Esc: remove it.\nArrows: move it by a "
               "cell, with Shift its upper right corner, with Ctrl by ten."));
    addAxis(axes_[0], Qt::AlignBottom, true);
    addAxis(axes_[1], Qt::AlignLeft, true);
    axes_[0]->setRange(0, 1);
    axes_[1]->setRange(0, 1);
    connect(chart(), &QChart::plotAreaChanged, this, &AttributePlaneView::forgetImage);
    connect(scene(), &QGraphicsScene::changed, this, [this] { cachedChart_ = {}; });
    connect(&plane_, &Plane::changed, this, &AttributePlaneView::onPlane);
    connect(&plane_, &Plane::rectangleChanged, this, [this] { updateMarks(marks_.changedByRectangle(area())); });
    connect(&plane_, &Plane::markChanged, this, [this] { updateMarks(marks_.changedByMark(area())); });
    connect(&plane_, &Plane::selectedCellsChanged, this, [this] {
        forgetImage();
        viewport()->update();
    });
    connect(&plane_, &Plane::inverseChanged, this, [this] { updateMarks(viewport()->rect()); });
    applyStyle();
    onPlane();
}

void AttributePlaneView::setLasso(bool lasso) {
    if (lasso != input_.isLasso()) {
        input_.setLasso(lasso);
        viewport()->update();
    }
}

void AttributePlaneView::styleSeries(const QPalette& palette) {
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
    // Measures the widget, not the plane: the size of the plane depends on the labels that are chosen here.
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
    image_.forget();
    cachedChart_ = {};
}

void AttributePlaneView::cacheChart() {
    cachedChart_ = QPixmap(viewport()->size() * devicePixelRatioF());
    cachedChart_.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&cachedChart_);
    painter.setRenderHints(renderHints());
    render(&painter, viewport()->rect(), viewport()->rect());
}

void AttributePlaneView::paintEvent(QPaintEvent* event) {
    // Painting the chart takes milliseconds; a dragged rectangle reuses the cached one.
    if (std::exchange(onlyMarks_, false) && plane_.counted()) {
        if (cachedChart_.devicePixelRatio() != devicePixelRatioF() || cachedChart_.isNull()) {
            cacheChart();
        }
        QPainter painter(viewport());
        painter.drawPixmap(0, 0, cachedChart_);
    } else {
        Chart::paintEvent(event);
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    marks_.paint(painter, area(), input_.enclosed(), hasFocus());
}

void AttributePlaneView::drawForeground(QPainter* painter, const QRectF&) {
    if (plane_.counted()) {
        image_.paint(*painter, area(), devicePixelRatioF());
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

AttributePlanePanel::AttributePlanePanel(Plane& plane, QWidget* parent) : QWidget(parent), plane_(plane) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new WrappingRow(kPanelSpacing / 2);
    addAxis(*head, Side::x, tr("&X axis"));
    addAxis(*head, Side::y, tr("&Y axis"));
    auto* swap = makeIconButton(this, "planeSwap", QStringLiteral("swap"), tr("Swap the axes"),
                                tr("Swap the attributes of the two axes"));
    auto* inverse = makeIconButton(this, "planeInverse", QStringLiteral("inverse"), tr("Remove the inside"),
                                   tr("The rectangle removes components instead of keeping them. The others meet any "
                                      "of: x below, x above, y below, y above it"));
    auto* lasso = makeIconButton(this, "planeLasso", QStringLiteral("lasso"), tr("Lasso"),
                                 tr("Enclose components with the pointer to select them; the filter stays as it is"));
    clear_ = makeIconButton(this, "planeClear", QStringLiteral("reset"), tr("Remove the rectangle"),
                            tr("Restore the filter without the rectangle (Esc in the plane)"));
    view_ = new AttributePlaneView(plane, this);
    readout_ = new ElidedLabel(this);
    auto* buttons = new QWidget(this); // the row wraps around it as a whole
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing / 2);
    for (QToolButton* button : {swap, inverse, lasso, clear_}) {
        row->addWidget(button);
    }
    head->addStretch();
    head->addWidget(buttons);
    inverse->setCheckable(true);
    lasso->setCheckable(true);
    readout_->setObjectName(QStringLiteral("planeReadout"));
    readout_->setMinimumHeight(readout_->fontMetrics().height());
    layout->addLayout(head);
    layout->addWidget(view_, 1);
    layout->addWidget(readout_);

    connect(swap, &QToolButton::clicked, &plane_, &Plane::swapAxes);
    couple(inverse, plane_, &Plane::isInverse, &Plane::setInverse, &Plane::inverseChanged);
    connect(lasso, &QToolButton::toggled, view_, &AttributePlaneView::setLasso);
    connect(clear_, &QToolButton::clicked, &plane_, &Plane::clear);
    follow(
        this, [this] { clear_->setEnabled(plane_.rectangle().has_value()); }, plane_, &Plane::rectangleChanged);
    const auto leaveLasso = [this] {
        chosen_.clear();
        showReadout();
    };
    follow(this, leaveLasso, plane_, &Plane::changed, &Plane::rectangleChanged, &Plane::inverseChanged);
    connect(&plane_, &Plane::nodesChosen, this, [this](const auto& nodes) {
        chosen_ = tr("In the lasso: %1 components").arg(QLocale().toString(static_cast<qulonglong>(nodes->size())));
        showReadout();
    });
    connect(&plane_, &Plane::insideCounted, this, &AttributePlanePanel::showReadout);
    connect(view_, &AttributePlaneView::pointedChanged, this, &AttributePlanePanel::showReadout);
}

void AttributePlanePanel::addAxis(QLayout& head, Side side, const QString& title) {
    const bool right = side == Side::x;
    auto* attribute = new AttributeButton(this);
    auto* logarithmic = new QCheckBox(tr("Log"), this);
    attribute->setObjectName(right ? QStringLiteral("planeX") : QStringLiteral("planeY"));
    attribute->setAccessibleName(right ? tr("Attribute of the x axis") : tr("Attribute of the y axis"));
    logarithmic->setObjectName(right ? QStringLiteral("planeLogX") : QStringLiteral("planeLogY"));
    explain(logarithmic, right ? tr("Logarithmic x axis") : tr("Logarithmic y axis"),
            tr("Equal ratios are equally long; components of value 0 are left out. Attributes that can be negative "
               "have no logarithm"));
    auto* axis = new QWidget(this); // the row wraps around it as a whole
    auto* row = new QHBoxLayout(axis);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing / 2);
    row->addWidget(captionFor(attribute, title));
    row->addWidget(attribute);
    row->addWidget(logarithmic);
    head.addWidget(axis);
    connect(attribute, &AttributeButton::chosen, &plane_,
            [this, side](AttributeId id) { plane_.setAttribute(side, id); });
    const auto showAxis = [this, side, attribute, logarithmic] {
        attribute->setAttributeId(plane_.attribute(side));
        logarithmic->setEnabled(plane_.canBeLogarithmic(side));
    };
    follow(this, showAxis, plane_, &Plane::axesChanged);
    couple(
        logarithmic, plane_, [side](const Plane& plane) { return plane.isLogarithmic(side); },
        [side](Plane& plane, bool on) { plane.setLogarithmic(side, on); }, &Plane::axesChanged);
}

void AttributePlanePanel::showReadout() {
    const auto place = view_->pointedPlace();
    const QString cell = place ? plane_.readout(*place) : QString();
    readout_->setFullText(!cell.isEmpty() ? cell : chosen_.isEmpty() ? plane_.summary() : chosen_);
}

} // namespace pollard::app

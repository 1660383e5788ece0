// Mouse and keyboard input of the attribute plane.
#include "docks/tree/attribute_plane_view.hpp"

#include "vm/tree/attribute_plane_view_model.hpp"

#include <QChart>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

namespace {

constexpr double kReach = 5;        ///< px around a side within which a press grabs it
constexpr double kDragSpread = 3;   ///< px that the pointer may move during a click
constexpr double kLassoSpacing = 3; ///< px between two corners
constexpr int kLargeStep = 10;      ///< cells, with Ctrl

} // namespace

AttributePlaneView::Grip AttributePlaneView::gripAt(QPointF pixel) const {
    const QRectF area = rectanglePixels();
    Grip grip;
    if (area.isNull() || !area.adjusted(-kReach, -kReach, kReach, kReach).contains(pixel)) {
        return grip;
    }
    // The nearer one if both sides are near.
    const auto near = [](double at, double low, double high, Qt::Edge first, Qt::Edge last) {
        const double toLow = std::abs(at - low);
        const double toHigh = std::abs(at - high);
        // Leaves a middle to grab in a narrow rectangle.
        const double reach = std::min(kReach, std::max(1.0, (high - low) / 4));
        const bool beyond = at < low || at > high;
        if (std::min(toLow, toHigh) > (beyond ? kReach : reach)) {
            return Qt::Edges();
        }
        return Qt::Edges(toLow < toHigh ? first : last);
    };
    grip.sides = near(pixel.x(), area.left(), area.right(), Qt::LeftEdge, Qt::RightEdge) |
                 near(pixel.y(), area.top(), area.bottom(), Qt::TopEdge, Qt::BottomEdge);
    grip.moves = !grip.sides;
    return grip;
}

void AttributePlaneView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !plane_.counted() ||
        !chart()->plotArea().adjusted(-kReach, -kReach, kReach, kReach).contains(event->position())) {
        QChartView::mousePressEvent(event);
        return;
    }
    dragging_ = true;
    drew_ = false;
    pressed_ = event->position();
    grip_ = lasso_ ? Grip{} : gripAt(pressed_);
    held_ = plane_.rectanglePlaces().value_or(QRectF());
    enclosed_.clear();
    viewport()->update();
}

void AttributePlaneView::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        drag(event->position());
    } else {
        showCursor(event->position());
    }
    setPointed(placeAt(event->position()));
}

void AttributePlaneView::drag(QPointF pixel) {
    drew_ = drew_ || (pixel - pressed_).manhattanLength() >= kDragSpread;
    if (!drew_) {
        return;
    }
    const auto within = [](QPointF place) {
        return QPointF(std::clamp(place.x(), 0.0, 1.0), std::clamp(place.y(), 0.0, 1.0));
    };
    if (lasso_) {
        if (enclosed_.isEmpty()) {
            enclosed_ << within(placeAt(pressed_));
        }
        if ((pixelOf(enclosed_.back()) - pixel).manhattanLength() >= kLassoSpacing) {
            enclosed_ << within(placeAt(pixel));
            updateMarks();
        }
        return;
    }
    const QPointF by = placeAt(pixel) - placeAt(pressed_);
    if (grip_.moves) {
        plane_.reshape(held_.translated(std::clamp(by.x(), -held_.left(), 1 - held_.right()),
                                        std::clamp(by.y(), -held_.top(), 1 - held_.bottom())));
        return;
    }
    if (!grip_.sides) {
        plane_.brush(QRectF(within(placeAt(pressed_)), within(placeAt(pixel))).normalized());
        return;
    }
    // Qt's top edge is the upper side on the screen, where y is large.
    QRectF places = held_;
    if (grip_.sides & Qt::LeftEdge) {
        places.setLeft(places.left() + by.x());
    }
    if (grip_.sides & Qt::RightEdge) {
        places.setRight(places.right() + by.x());
    }
    if (grip_.sides & Qt::TopEdge) {
        places.setBottom(places.bottom() + by.y());
    }
    if (grip_.sides & Qt::BottomEdge) {
        places.setTop(places.top() + by.y());
    }
    places = places.normalized();
    plane_.reshape(QRectF(within(places.topLeft()), within(places.bottomRight())));
}

void AttributePlaneView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) {
        QChartView::mouseReleaseEvent(event);
        return;
    }
    drag(event->position());
    const bool encloses = lasso_ && enclosed_.size() > 2;
    endDrag();
    if (encloses) {
        plane_.choose(enclosed_);
    } else {
        enclosed_.clear();
    }
    showCursor(event->position());
    viewport()->update();
}

void AttributePlaneView::endDrag() { dragging_ = drew_ = false; }

void AttributePlaneView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        endDrag();
        enclosed_.clear();
        plane_.clear();
        viewport()->update();
    }
}

bool AttributePlaneView::moveByKey(const QKeyEvent& event) {
    const int step = event.modifiers().testFlag(Qt::ControlModifier) ? kLargeStep : 1;
    int columns = 0;
    int rows = 0;
    switch (event.key()) {
    case Qt::Key_Left:
        columns = -step;
        break;
    case Qt::Key_Right:
        columns = step;
        break;
    case Qt::Key_Down:
        rows = -step;
        break;
    case Qt::Key_Up:
        rows = step;
        break;
    default:
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

void AttributePlaneView::keyPressEvent(QKeyEvent* event) {
    const bool removes = event->key() == Qt::Key_Escape || event->key() == Qt::Key_Delete;
    if (removes && (plane_.rectangle() || !enclosed_.isEmpty() || dragging_)) {
        endDrag();
        if (enclosed_.isEmpty()) {
            plane_.clear();
        }
        enclosed_.clear();
        viewport()->update();
        return;
    }
    if (!plane_.counted() || !moveByKey(*event)) {
        QChartView::keyPressEvent(event);
    }
}

bool AttributePlaneView::event(QEvent* event) {
    // Takes precedence over the window's shortcut for Escape.
    if (event->type() == QEvent::ShortcutOverride && (plane_.rectangle() || !enclosed_.isEmpty())) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Delete) {
            event->accept();
            return true;
        }
    }
    return QChartView::event(event);
}

void AttributePlaneView::showCursor(QPointF pixel) {
    const bool inside = plane_.counted() && chart()->plotArea().contains(pixel);
    const Grip grip = inside && !lasso_ ? gripAt(pixel) : Grip{};
    const bool falling = grip.sides == (Qt::LeftEdge | Qt::TopEdge) || grip.sides == (Qt::RightEdge | Qt::BottomEdge);
    const bool across = grip.sides.testFlag(Qt::LeftEdge) || grip.sides.testFlag(Qt::RightEdge);
    const bool along = grip.sides.testFlag(Qt::TopEdge) || grip.sides.testFlag(Qt::BottomEdge);
    viewport()->setCursor(!inside           ? Qt::ArrowCursor
                          : grip.moves      ? Qt::SizeAllCursor
                          : across && along ? (falling ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor)
                          : across          ? Qt::SizeHorCursor
                          : along           ? Qt::SizeVerCursor
                                            : Qt::CrossCursor);
}

void AttributePlaneView::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    setPointed(std::nullopt);
}

void AttributePlaneView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    forgetDensity();
    showTicks();
}

void AttributePlaneView::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app

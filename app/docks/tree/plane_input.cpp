#include "docks/tree/plane_input.hpp"

#include "vm/tree/attribute_plane_view_model.hpp"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

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
    // The nearer one if both sides are near.
    const auto near = [](double at, double low, double high, Qt::Edge first, Qt::Edge last) {
        const double toLow = std::abs(at - low);
        const double toHigh = std::abs(at - high);
        // Leaves a middle to grab in a narrow rectangle.
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

} // namespace pollard::app

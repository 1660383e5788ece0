#pragma once

#include "docks/tree/plane_area.hpp"

#include <QPolygonF>

class QKeyEvent;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

/// Mouse and keys on the plane of two attributes: they draw, move and resize the filter rectangle, or enclose
/// components with the lasso.
class PlaneInput {
public:
    /// @param plane must outlive this
    explicit PlaneInput(vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    [[nodiscard]] bool isLasso() const noexcept { return lasso_; }
    void setLasso(bool lasso);
    [[nodiscard]] bool isDragging() const noexcept { return dragging_; }
    /// By the lasso, plane coordinates.
    [[nodiscard]] const QPolygonF& enclosed() const noexcept { return enclosed_; }

    /// Starts a drag; false if the plane does not take the press.
    [[nodiscard]] bool press(const PlaneArea& area, QPointF pixel);
    void drag(const PlaneArea& area, QPointF pixel);
    void release(const PlaneArea& area, QPointF pixel);
    /// Ends a drag without effect and drops the lasso's outline.
    void cancel();

    /// Whether a key ends a drag or removes a rectangle or an outline.
    [[nodiscard]] bool removes(const QKeyEvent& event) const;
    /// False if the key has no effect here.
    [[nodiscard]] bool key(const QKeyEvent& event);
    [[nodiscard]] Qt::CursorShape cursorAt(const PlaneArea& area, QPointF pixel) const;

private:
    /// Effect of a drag.
    struct Grip {
        bool moves = false; ///< the whole rectangle
        Qt::Edges sides;    ///< or these sides; none: draws a new one
    };
    [[nodiscard]] Grip gripAt(const PlaneArea& area, QPointF pixel) const;
    void dragRectangle(const PlaneArea& area, QPointF pixel);

    vm::AttributePlaneViewModel& plane_;
    bool lasso_ = false;
    bool dragging_ = false;
    bool drew_ = false; ///< the drag was long enough
    Grip grip_;
    QPointF pressed_; ///< px
    QRectF held_;     ///< rectangle at the start of the drag, plane coordinates
    QPolygonF enclosed_;
};

} // namespace pollard::app

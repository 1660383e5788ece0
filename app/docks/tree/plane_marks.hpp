#pragma once

#include "docks/tree/plane_area.hpp"

#include <QRegion>

class QPainter;
class QPolygonF;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

/// Paints filter rectangle, mark and lasso over the plane of two attributes.
class PlaneMarks {
public:
    /// @param plane must outlive this
    explicit PlaneMarks(const vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    /// @param enclosed by the lasso, plane coordinates
    void paint(QPainter& painter, const PlaneArea& area, const QPolygonF& enclosed, bool focus);
    /// px where the rectangle or the mark differs from the painted one.
    [[nodiscard]] QRegion changedByRectangle(const PlaneArea& area) const;
    [[nodiscard]] QRegion changedByMark(const PlaneArea& area) const;

private:
    void paintRectangle(QPainter& painter, const QRectF& plot, bool focus) const;

    const vm::AttributePlaneViewModel& plane_;
    QRectF rectangle_;            ///< painted, px; null: none
    std::optional<QPointF> mark_; ///< painted, plane coordinates
};

} // namespace pollard::app

#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QRegion>

#include <algorithm>
#include <optional>

class QPainter;
class QPolygonF;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

inline constexpr int kMarginal = 34;   ///< px, height of the histograms beside the plane of attributes
inline constexpr int kMarginalGap = 3; ///< px between the histograms and the plane

/// The plane of two attributes on the screen. Its coordinates are 0..1 on both axes, y upwards.
struct PlaneArea {
    QRectF plot; ///< px

    [[nodiscard]] QPointF pixelOf(QPointF place) const {
        return {plot.left() + place.x() * plot.width(), plot.bottom() - place.y() * plot.height()};
    }
    [[nodiscard]] QPointF placeAt(QPointF pixel) const {
        return {(pixel.x() - plot.left()) / std::max(1.0, plot.width()),
                (plot.bottom() - pixel.y()) / std::max(1.0, plot.height())};
    }
    /// Pixels of a rectangle in plane coordinates; null if there is none.
    [[nodiscard]] QRectF pixelsOf(const std::optional<QRectF>& places) const {
        return places ? QRectF(pixelOf(places->topLeft()), pixelOf(places->bottomRight())).normalized() : QRectF();
    }
};

/// Paints the components of a plane of two attributes as densities, with the histogram of each attribute beside.
class PlaneImage {
public:
    /// @param plane must outlive this
    explicit PlaneImage(const vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    /// Drops the cached image.
    void forget() { density_ = {}; }
    /// @param ratio device px per px
    void paint(QPainter& painter, const PlaneArea& area, double ratio);

private:
    const vm::AttributePlaneViewModel& plane_;
    QImage density_; ///< in device px; null: out of date
};

/// Paints filter rectangle, mark and lasso over the plane of two attributes.
class PlaneMarks {
public:
    /// @param plane must outlive this
    explicit PlaneMarks(const vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    /// @param enclosed outline of the lasso, plane coordinates
    void paint(QPainter& painter, const PlaneArea& area, const QPolygonF& enclosed, bool focus);
    /// The pixels in which the present rectangle or mark differs from the painted one.
    [[nodiscard]] QRegion changedByRectangle(const PlaneArea& area) const;
    [[nodiscard]] QRegion changedByMark(const PlaneArea& area) const;

private:
    void paintRectangle(QPainter& painter, const QRectF& plot, bool focus) const;

    const vm::AttributePlaneViewModel& plane_;
    QRectF rectangle_;            ///< painted, px; null: none
    std::optional<QPointF> mark_; ///< painted, plane coordinates
};

} // namespace pollard::app

#include "overlays/track_overlay.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_tracks_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include <QLineF>
#include <QList>
#include <QPolygonF>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kTrackLine = 2;
constexpr double kThinTrackLine = 1;
constexpr double kDot = 2.5;        ///< radius
constexpr double kRing = 6;         ///< radius
constexpr double kTrackMargin = 10; ///< around the path, for lines and ring
const QColor kPathColour(255, 214, 64);
const QColor kTrackHalo(24, 24, 24);

/// Centroids on the surface, in the order of the pages.
QPolygonF placesOf(const Track& track, const OverlayScene& scene) {
    QPolygonF places;
    places.reserve(static_cast<qsizetype>(track.points.size()));
    for (const TrackPoint& point : track.points) {
        places << scene.toSurface(QPointF(point.x + 0.5, point.y + 0.5)); // centre of the pixel
    }
    return places;
}

QList<QLineF> linesOf(const QPolygonF& places, qsizetype first, qsizetype last) {
    QList<QLineF> lines;
    for (qsizetype i = first; i < last; ++i) {
        lines << QLineF(places[i], places[i + 1]);
    }
    return lines;
}

} // namespace

QRegion TrackOverlay::area(const OverlayScene& scene) const {
    const Track* const track = tracks_.currentTrack();
    if (track == nullptr || !objects_.isActive() || scene.picture.isEmpty()) {
        return {};
    }
    return placesOf(*track, scene)
        .boundingRect()
        .adjusted(-kTrackMargin, -kTrackMargin, kTrackMargin, kTrackMargin)
        .intersected(QRectF(QPointF(0, 0), scene.size))
        .toAlignedRect();
}

void TrackOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const Track& track = *tracks_.currentTrack();
    const QPolygonF places = placesOf(track, scene);
    const qsizetype last = places.size() - 1;
    const auto frame = tracks_.tracks()->frameOf(document_.page());
    const qsizetype present =
        frame ? static_cast<qsizetype>(*frame) - static_cast<qsizetype>(track.firstFrame) : qsizetype{-1};
    const qsizetype passed = std::clamp<qsizetype>(present, 0, last);
    painter.setPen(QPen(kTrackHalo, kTrackLine + 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, 0, last));
    painter.setPen(QPen(kPathColour, kThinTrackLine, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, passed, last));
    painter.setPen(QPen(kPathColour, kTrackLine, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, 0, passed));
    painter.setPen(QPen(kTrackHalo, 1));
    painter.setBrush(kPathColour);
    for (const QPointF& place : places) {
        painter.drawEllipse(place, kDot, kDot);
    }
    if (present >= 0 && present <= last) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(kTrackHalo, kTrackLine + 2));
        painter.drawEllipse(places[present], kRing, kRing);
        painter.setPen(QPen(kPathColour, kTrackLine));
        painter.drawEllipse(places[present], kRing, kRing);
    }
}

} // namespace pollard::app

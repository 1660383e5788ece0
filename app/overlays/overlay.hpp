#pragma once

#include "image/image.hpp"
#include "io/image_file.hpp"

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QRegion>
#include <QSize>

#include <optional>

namespace pollard::app {

/// The surface that overlays are painted on, the canvas or an exported picture, and where the picture lies on it.
/// Lengths are in logical px of the surface unless something else is said.
struct OverlayScene {
    QSizeF size;
    QPointF origin;                     ///< top left corner of the picture
    double scale = 1;                   ///< per px of the picture
    double ratio = 1;                   ///< device px per logical px
    QSize picture;                      ///< px; empty if nothing is open
    std::optional<QPointF> pointer;     ///< while it is over the canvas
    std::optional<PixelSize> pixelSize; ///< of the scene, if it is known
    QPalette palette;
    QFont font;

    [[nodiscard]] QPointF toSurface(QPointF image) const { return origin + image * scale; }
    [[nodiscard]] QPointF toImage(QPointF surface) const { return (surface - origin) / scale; }
    /// The whole picture on the surface; parts of it may lie beside.
    [[nodiscard]] QRectF pictureArea() const { return {origin, QSizeF(picture) * scale}; }
    /// The part of the picture that is seen, in px of the picture.
    [[nodiscard]] QRectF visiblePart() const {
        return QRectF(toImage({0, 0}), size / scale).intersected(QRectF(QPointF(0, 0), QSizeF(picture)));
    }
};

/// Something that lies over the picture.
class Overlay {
public:
    Overlay() = default;
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;
    virtual ~Overlay() = default;

    /// Everything that paint() may touch, for an open picture; empty if there is nothing to paint.
    [[nodiscard]] virtual QRegion area(const OverlayScene& scene) const = 0;
    virtual void paint(QPainter& painter, const OverlayScene& scene) = 0;
    /// It changes when only the pointer moves.
    [[nodiscard]] virtual bool followsPointer() const { return false; }
    /// It tells something of the picture and belongs into an exported one; aids to find the way do not.
    [[nodiscard]] virtual bool isAnnotation() const { return true; }
};

} // namespace pollard::app

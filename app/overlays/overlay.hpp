#pragma once

#include "image/image.hpp"
#include "io/image_file.hpp"
#include "vm/document/picture_map.hpp"

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QRegion>
#include <QSize>
#include <QTransform>

#include <optional>

namespace pollard::app {

/// The target surface of overlays, the canvas or an exported picture, and the position of the picture on it. Lengths
/// are in logical px of the surface unless stated otherwise.
struct OverlayScene {
    QSizeF size;
    QPointF origin;                          ///< top left corner of the picture
    double scale = 1;                        ///< surface px per px of the picture
    double ratio = 1;                        ///< device px per logical px
    QSize picture;                           ///< px; empty if no file is open
    std::optional<QPointF> pointer;          ///< while it is over the canvas
    std::optional<PixelSize> pixelSize;      ///< of the scene, if known
    std::optional<vm::PictureMap::Axes> map; ///< map coordinates along the edges
    QPalette palette;
    QFont font;

    [[nodiscard]] QPointF toSurface(QPointF image) const { return origin + image * scale; }
    /// From px of the picture to the surface.
    [[nodiscard]] QTransform transform() const { return {scale, 0, 0, scale, origin.x(), origin.y()}; }
    [[nodiscard]] QPointF toImage(QPointF surface) const { return (surface - origin) / scale; }
    /// The whole picture on the surface, possibly exceeding it.
    [[nodiscard]] QRectF pictureArea() const { return {origin, QSizeF(picture) * scale}; }
    /// The visible part of the picture, in px of the picture.
    [[nodiscard]] QRectF visiblePart() const {
        return QRectF(toImage({0, 0}), size / scale).intersected(QRectF(QPointF(0, 0), QSizeF(picture)));
    }
};

/// A drawing over the picture.
class Overlay {
public:
    Overlay() = default;
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;
    virtual ~Overlay() = default;

    /// Area that contains everything painted by paint(), for an open picture; empty if nothing is painted.
    [[nodiscard]] virtual QRegion area(const OverlayScene& scene) const = 0;
    virtual void paint(QPainter& painter, const OverlayScene& scene) = 0;
    /// Whether it changes with the position of the pointer.
    [[nodiscard]] virtual bool followsPointer() const { return false; }
    /// Whether it is information about the picture, included in exports; navigation aids are not.
    [[nodiscard]] virtual bool isAnnotation() const { return true; }
};

} // namespace pollard::app

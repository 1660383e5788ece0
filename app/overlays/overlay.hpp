#pragma once

#include "image/volume_plane.hpp"
#include "io/image_file.hpp"
#include "vm/document/image_map.hpp"
#include "vm/image/shown_image.hpp"

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

/// The target surface of overlays, a canvas or an exported image, and the position of the image on it. Lengths are
/// in logical px of the surface unless stated otherwise.
struct OverlayScene {
    QSizeF size;
    QPointF origin;                        ///< first corner of the image, see ImagePart
    double scale = 1;                      ///< surface px per px of the image, along its rows
    double aspect = 1;                     ///< see ImagePart
    double ratio = 1;                      ///< device px per logical px
    QSize picture;                         ///< px; empty if no file is open
    VolumePlane plane;                     ///< of the document's volume, that the image is
    std::optional<QPointF> pointer;        ///< while it is over the canvas
    std::optional<PixelSize> pixelSize;    ///< of the scene, if known
    std::optional<vm::ImageMap::Axes> map; ///< map coordinates along the edges
    QPalette palette;
    QFont font;

    /// Whether the image has the size of its plane in a volume.
    [[nodiscard]] bool showsPlaneOf(const Extent& volume) const {
        if (!vm::hasPlane(volume, plane)) {
            return false;
        }
        const PlaneVoxels voxels = voxelsOf(plane, volume);
        return picture == QSize(static_cast<int>(voxels.width), static_cast<int>(voxels.height));
    }
    [[nodiscard]] double scaleDown() const { return scale * aspect; }
    [[nodiscard]] QPointF toSurface(QPointF image) const {
        return {origin.x() + image.x() * scale, origin.y() + image.y() * scaleDown()};
    }
    /// From px of the image to the surface.
    [[nodiscard]] QTransform transform() const { return {scale, 0, 0, scaleDown(), origin.x(), origin.y()}; }
    [[nodiscard]] QPointF toImage(QPointF surface) const {
        return {(surface.x() - origin.x()) / scale, (surface.y() - origin.y()) / scaleDown()};
    }
    /// The whole image on the surface, possibly exceeding it.
    [[nodiscard]] QRectF imageArea() const {
        return QRectF(origin, QSizeF(picture.width() * scale, picture.height() * scaleDown())).normalized();
    }
    /// The visible part of the image, in px of the image.
    [[nodiscard]] QRectF visiblePart() const {
        const QRectF seen(toImage({0, 0}), QSizeF(size.width() / scale, size.height() / scaleDown()));
        return seen.normalized().intersected(QRectF(QPointF(0, 0), QSizeF(picture)));
    }
};

/// A drawing over the image.
class Overlay {
public:
    Overlay() = default;
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;
    virtual ~Overlay() = default;

    /// Area that contains everything painted by paint(), for an open image; empty if nothing is painted.
    [[nodiscard]] virtual QRegion area(const OverlayScene& scene) const = 0;
    virtual void paint(QPainter& painter, const OverlayScene& scene) = 0;
    /// Whether it changes with the position of the pointer.
    [[nodiscard]] virtual bool followsPointer() const { return false; }
    /// Whether it is information about the image, included in exports; navigation aids are not.
    [[nodiscard]] virtual bool isAnnotation() const { return true; }
};

} // namespace pollard::app

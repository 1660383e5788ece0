#pragma once

#include "image/volume_plane.hpp"
#include "io/image_file.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/image_map.hpp"
#include "vm/image/shown_image.hpp"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QRegion>
#include <QRgb>
#include <QSize>
#include <QTransform>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace pollard::app {

/// The surface on which overlays are painted, a canvas or an exported image, and the position of the image on that
/// surface. Lengths are in logical px of the surface unless stated otherwise.
struct OverlayScene {
    QSizeF size;
    QPointF origin;                        ///< first corner of the image, see ImagePart
    double scale = 1;                      ///< surface px per px of the image, along its rows
    double aspect = 1;                     ///< see ImagePart
    double ratio = 1;                      ///< device px per logical px
    QSize image;                           ///< px; empty if no file is open
    VolumePlane plane;                     ///< the plane of the document's volume that the image shows
    std::optional<QPointF> pointer;        ///< while it is over the canvas
    std::optional<PixelSize> pixelSize;    ///< of the scene, if known
    std::optional<vm::ImageMap::Axes> map; ///< map coordinates along the edges
    QPalette palette;
    QFont font;
    bool mayLag = false; ///< an overlay may draw its last state while the present one is made on another thread

    /// Whether the image has the size of its plane in a volume.
    [[nodiscard]] bool showsPlaneOf(const Extent& volume) const {
        if (!vm::hasPlane(volume, plane)) {
            return false;
        }
        const PlaneVoxels voxels = voxelsOf(plane, volume);
        return image == QSize(static_cast<int>(voxels.width), static_cast<int>(voxels.height));
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
    /// Area of the whole image in logical px of the surface; may exceed the surface.
    [[nodiscard]] QRectF imageArea() const {
        return QRectF(origin, QSizeF(image.width() * scale, image.height() * scaleDown())).normalized();
    }
    /// The visible part of the image, in px of the image.
    [[nodiscard]] QRectF visiblePart() const {
        const QRectF seen(toImage({0, 0}), QSizeF(size.width() / scale, size.height() / scaleDown()));
        return seen.normalized().intersected(QRectF(QPointF(0, 0), QSizeF(image)));
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
    /// Whether the drawing changes with the position of the pointer.
    [[nodiscard]] virtual bool followsPointer() const { return false; }
    /// Whether exports include the overlay: it informs about the image and is no navigation aid.
    [[nodiscard]] virtual bool isAnnotation() const { return true; }
};

/// Margin between an overlay and the edge of the canvas, logical px.
inline constexpr double kOverlayMargin = 12;

/// Dark, nearly opaque background for white marks and text over any image.
inline const QColor kPlateColour(12, 14, 17, 190);
inline const QColor kPlateInk(255, 255, 255);

/// Fills a plate with rounded corners.
void drawPlate(QPainter& painter, const QRectF& area, double radius = 6);

/// Draws a line visible on every background: @p colour with a dark halo.
/// @param width of the line, logical px
void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style = Qt::SolidLine);

/// The column and row of the open image under each px of a SurfaceImage.
struct SurfaceGrid {
    std::span<const std::size_t> columns; ///< of the open image, for each column of the SurfaceImage
    std::span<const std::size_t> rows;    ///< of the open image, for each row of the SurfaceImage
};

/// A layer over the visible part of the open image, with a premultiplied colour per device px. It is cached until the
/// view moves, or it is out of date.
class SurfaceImage {
public:
    /// Fills rows x columns colours, row by row.
    using Fill = std::function<void(const SurfaceGrid& grid, std::span<QRgb> out)>;
    static constexpr QRect kAll{QPoint(-(1 << 29), -(1 << 29)), QPoint(1 << 29, 1 << 29)};
    static constexpr int kReach = 16; ///< device px

    SurfaceImage() = default;
    /// Waits for paintLater().
    ~SurfaceImage() = default;
    SurfaceImage(const SurfaceImage&) = delete;
    SurfaceImage& operator=(const SurfaceImage&) = delete;

    void forget();
    /// Has the colours of a part of the open image, px, made anew by the next call of paint(): those at most kReach px
    /// of the surface beside the part, too, because outlines depend on what is around them.
    void outdate(const QRect& part = kAll);
    /// Area covered by paint().
    [[nodiscard]] static QRegion area(const OverlayScene& scene);
    void paint(QPainter& painter, const OverlayScene& scene, const Fill& fill);
    /// As paint(), but if the scene may lag, with little work on this thread: fill() runs on another one. Until it
    /// ends, the last colours are drawn at their place; then @p ready is called, to paint again.
    /// @param fill reads only what does not change, or is its own
    /// @param ready empty: the scene does not lag
    void paintLater(QPainter& painter, const OverlayScene& scene, const std::function<Fill()>& fill,
                    const std::function<void()>& ready);
    /// Whether the last call has drawn the present colours.
    [[nodiscard]] bool isUpToDate() const noexcept { return isUpToDate_; }

private:
    /// Position of the cached image.
    struct Place {
        QRect device; ///< part of the surface, device px
        QPointF origin;
        double scale = 0;
        double scaleDown = 0;
        double ratio = 0;

        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] static Place placeIn(const OverlayScene& scene);
    using Task = std::function<QImage()>;
    /// Makes the colours at a place, if possible from image_.
    [[nodiscard]] Task taskFor(const Place& place, QSize image, const Fill& fill) const;
    /// @param last the colours at the place, of which the colours of @p part are made anew; null: all are
    [[nodiscard]] static QImage mended(QImage last, const Place& place, QSize image, const QRect& part,
                                       const Fill& fill);
    [[nodiscard]] bool shows(const Place& place) const {
        return stale_.isEmpty() && !image_.isNull() && made_ == place;
    }
    void makeLater(const Place& place, Task task, const std::function<void()>& ready);
    void take(vm::LatestWinsWorker::Generation generation, QImage made, const Place& place);
    void draw(QPainter& painter, const Place& place);

    QImage image_; ///< null: none yet
    Place made_;   ///< of image_
    QRect stale_;  ///< part of the open image with other colours than image_
    bool isUpToDate_ = false;
    std::optional<Place> asked_;                   ///< of the newest job, while its result counts
    vm::LatestWinsWorker::Generation newest_ = 0;  ///< job
    vm::LatestWinsWorker::Generation taken_ = 0;   ///< newest job whose result has been, or will not be, image_
    std::unique_ptr<vm::LatestWinsWorker> worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::app

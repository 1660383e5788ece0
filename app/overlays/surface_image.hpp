#pragma once

#include "overlays/overlay.hpp"

#include <QImage>
#include <QRgb>

#include <cstddef>
#include <functional>
#include <span>

namespace pollard::app {

/// Pixels of the image under each px of an image painted on a surface.
struct SurfaceGrid {
    std::span<const std::size_t> columns; ///< of the image for each column of the image
    std::span<const std::size_t> rows;    ///< of the image for each row
};

/// Image of the visible part of the image, with a premultiplied colour per device px; cached until the view moves or
/// forget() is called.
class SurfaceImage {
public:
    /// Fills rows x columns colours, row by row.
    using Fill = std::function<void(const SurfaceGrid& grid, std::span<QRgb> out)>;

    void forget() { picture_ = {}; }
    /// Area covered by paint().
    [[nodiscard]] static QRegion area(const OverlayScene& scene);
    void paint(QPainter& painter, const OverlayScene& scene, const Fill& fill);

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
    [[nodiscard]] static QImage make(const Place& place, QSize image, const Fill& fill);

    QImage picture_; ///< null: out of date
    Place made_;
};

} // namespace pollard::app

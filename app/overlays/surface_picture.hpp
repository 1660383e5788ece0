#pragma once

#include "overlays/overlay.hpp"

#include <QImage>
#include <QRgb>

#include <cstddef>
#include <functional>
#include <span>

namespace pollard::app {

/// Where the px of a picture lie that is painted on a surface px by px.
struct SurfaceGrid {
    std::span<const std::size_t> columns; ///< of the image under each column of the picture, not descending
    std::span<const std::size_t> rows;    ///< of the image under each row
};

/// A picture of the part of the image that is seen, one colour (premultiplied) a device px; kept until the view moves
/// or forget() is called.
class SurfacePicture {
public:
    /// Fills rows x columns colours, row by row.
    using Fill = std::function<void(const SurfaceGrid& grid, std::span<QRgb> out)>;

    void forget() { picture_ = {}; }
    /// What paint() covers.
    [[nodiscard]] static QRegion area(const OverlayScene& scene);
    void paint(QPainter& painter, const OverlayScene& scene, const Fill& fill);

private:
    /// Where the picture that was made lies.
    struct Place {
        QRect device; ///< part of the surface, device px
        QPointF origin;
        double scale = 0;
        double ratio = 0;

        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] static Place placeIn(const OverlayScene& scene);
    [[nodiscard]] static QImage make(const Place& place, QSize image, const Fill& fill);

    QImage picture_; ///< null: to be made anew
    Place made_;
};

} // namespace pollard::app

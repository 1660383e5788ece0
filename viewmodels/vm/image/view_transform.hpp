#pragma once

#include <QPointF>
#include <QSize>
#include <QSizeF>

namespace pollard::vm {

/// Position of an image of imageSize (px) in a view of viewSize (view units). The image's pixel (x, y) covers [x, x+1)
/// x [y, y+1) in image coordinates; y points down in both systems. Pure arithmetic.
struct ViewTransform {
    QSizeF viewSize;
    QSize imageSize;
    double zoom = 1; ///< view units per image pixel, > 0
    QPointF centre;  ///< image coordinates shown in the middle of the view

    static constexpr double kMaxZoom = 256;

    bool operator==(const ViewTransform&) const = default;

    [[nodiscard]] bool isValid() const noexcept { return !viewSize.isEmpty() && !imageSize.isEmpty(); }
    [[nodiscard]] QPointF toImage(QPointF view) const noexcept;
    [[nodiscard]] QPointF toView(QPointF image) const noexcept;

    /// Largest zoom that shows the whole image; 1 without view or image.
    [[nodiscard]] double fitZoom() const noexcept;
    /// Smallest possible zoom: a quarter of fitZoom(), at most 1.
    [[nodiscard]] double minimumZoom() const noexcept;
    [[nodiscard]] double clampZoom(double value) const noexcept;

    /// Whole image, centred.
    [[nodiscard]] ViewTransform fitted() const noexcept;
    /// Zoomed to @p value (clamped) around a fixed point @p view.
    [[nodiscard]] ViewTransform zoomedAbout(QPointF view, double value) const noexcept;
    /// Moved by @p delta view units in the direction of a drag.
    [[nodiscard]] ViewTransform panned(QPointF delta) const noexcept;
    /// Centre moved by the least amount into the image.
    [[nodiscard]] ViewTransform clamped() const noexcept;
};

} // namespace pollard::vm

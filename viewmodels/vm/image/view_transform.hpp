#pragma once

#include <QPointF>
#include <QSize>
#include <QSizeF>
#include <QString>

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

/// The user's options of an exported view.
struct ExportChoice {
    bool wholeImage = false; ///< else the visible part
    double scale = 1;        ///< px of the file per px of the image
    bool overlays = true;    ///< with the visible ones of scale bar, rulers and regions
};

/// Smallest and largest scale of an export.
inline constexpr double kSmallestExport = 0.1;
inline constexpr double kLargestExport = 8;

/// Size of an image to draw, and place of the document's image in it.
struct ExportPlan {
    QSize size;         ///< px; empty if nothing can be exported
    QPointF origin;     ///< of the image's top left corner, px of the file
    double scale = 1;   ///< px of the file per px of the image
    quint64 pixels = 0; ///< of the file
    QString problem;    ///< the reason for the user if it is impossible; else empty

    /// Bytes before compression.
    [[nodiscard]] quint64 bytes() const noexcept { return pixels * 3; }
};

/// Largest side and most pixels of an exported image; common limits of programs that read it.
inline constexpr int kLargestExportSide = 100'000;
inline constexpr quint64 kMostExportPixels = 4'000'000'000ULL;

/// @param view with the image's corner at whole view px, as drawn by the canvas
[[nodiscard]] ExportPlan planExport(const ExportChoice& choice, const ViewTransform& view);

} // namespace pollard::vm

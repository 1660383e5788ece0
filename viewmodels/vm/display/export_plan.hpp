#pragma once

#include "vm/image/view_transform.hpp"

#include <QPointF>
#include <QSize>
#include <QString>

namespace pollard::vm {

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

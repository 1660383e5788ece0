#pragma once

#include "vm/picture/view_transform.hpp"

#include <QPointF>
#include <QSize>
#include <QString>

namespace pollard::vm {

/// What a person wants of an exported view.
struct ExportChoice {
    bool wholePicture = false; ///< else the part that is seen
    double scale = 1;          ///< px of the file per px of the picture
    bool overlays = true;      ///< with scale bar, rulers, regions as far as they are shown
};

/// Smallest and largest scale of an export.
inline constexpr double kSmallestExport = 0.1;
inline constexpr double kLargestExport = 8;

/// A picture to draw: its size and where the document's picture lies in it.
struct ExportPlan {
    QSize size;         ///< px; empty if there is nothing to export
    QPointF origin;     ///< of the picture's top left corner, px of the file
    double scale = 1;   ///< px of the file per px of the picture
    quint64 pixels = 0; ///< of the file
    QString problem;    ///< why it cannot be, for a person; empty if it can

    /// Bytes before compression.
    [[nodiscard]] quint64 bytes() const noexcept { return pixels * 3; }
};

/// Largest side and most pixels of an exported picture; programs that read it end there.
inline constexpr int kLargestExportSide = 100'000;
inline constexpr quint64 kMostExportPixels = 4'000'000'000ULL;

/// @param view with whole numbers of view px for the picture's corner, as the canvas draws it
[[nodiscard]] ExportPlan planExport(const ExportChoice& choice, const ViewTransform& view);

} // namespace pollard::vm

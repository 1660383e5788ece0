#pragma once

#include <QImage>
#include <QPixmap>
#include <QScreen>
#include <QWidget>

#include <algorithm>
#include <cstdlib>

namespace pollard::app {

/// The part of the screen covered by a widget.
inline QImage onScreen(const QWidget& widget) {
    const QPoint corner = widget.mapToGlobal(QPoint());
    return widget.screen()
        ->grabWindow(0, corner.x(), corner.y(), widget.width(), widget.height())
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
}

/// A fresh paint of a widget.
inline QImage paintedAnew(QWidget& widget) { return widget.grab().toImage().convertToFormat(QImage::Format_RGB32); }

/// Number of pixels that differ by more than rounding of blending; all if the sizes differ.
inline int differences(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) {
        return std::max(a.width() * a.height(), b.width() * b.height());
    }
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            count += std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                               std::abs(qBlue(p) - qBlue(q))}) > 2
                         ? 1
                         : 0;
        }
    }
    return count;
}

} // namespace pollard::app

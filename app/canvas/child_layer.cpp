#include "canvas/child_layer.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kTile = 64; ///< side of the squares tested for transparency, px

/// All pixels touched by a rectangle.
QRect pixelsOf(const QRect& rect, double ratio) {
    const QPoint first(static_cast<int>(std::floor(rect.left() * ratio)),
                       static_cast<int>(std::floor(rect.top() * ratio)));
    const QPoint end(static_cast<int>(std::ceil((rect.left() + rect.width()) * ratio)),
                     static_cast<int>(std::ceil((rect.top() + rect.height()) * ratio)));
    return {first, end - QPoint(1, 1)};
}

bool isTransparent(const QImage& picture, const QRect& part) {
    for (int y = part.top(); y <= part.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y)) + part.left();
        if (std::any_of(row, row + part.width(), [](QRgb pixel) { return pixel != 0; })) {
            return false;
        }
    }
    return true;
}

} // namespace

QRegion ChildLayer::repaint(QSize size, double ratio) {
    if (picture_.size() != size || picture_.devicePixelRatio() != ratio) {
        picture_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
        picture_.setDevicePixelRatio(ratio);
        covered_ = {};
        touched_ = parent_.rect();
    }
    QRegion area = std::exchange(touched_, {});
    if (ratio != std::floor(ratio)) { // a fractional edge lies within a pixel partly painted by the neighbour
        for (const QRect& rect : QRegion(area)) {
            area += rect.adjusted(-1, -1, 1, 1);
        }
    }
    area &= parent_.rect();
    if (area.isEmpty() || picture_.isNull()) {
        return {};
    }
    paintChildren(area);
    QRegion pixels;
    for (const QRect& rect : area) {
        pixels += pixelsOf(rect, ratio) & picture_.rect();
    }
    lookAt(pixels);
    return pixels;
}

void ChildLayer::paintChildren(const QRegion& area) {
    QPainter painter(&picture_);
    painter.setClipRegion(area);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(area.boundingRect(), Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    for (QObject* child : parent_.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget == nullptr || !widget->isVisible()) {
            continue;
        }
        const QRegion part = (area & widget->geometry()).translated(-widget->pos());
        if (!part.isEmpty()) {
            widget->render(&painter, widget->pos() + part.boundingRect().topLeft(), part, QWidget::DrawChildren);
        }
    }
}

void ChildLayer::lookAt(const QRegion& pixels) {
    const QRect all = pixels.boundingRect();
    for (int y = all.top() - all.top() % kTile; y <= all.bottom(); y += kTile) {
        for (int x = all.left() - all.left() % kTile; x <= all.right(); x += kTile) {
            const QRect tile = QRect(x, y, kTile, kTile) & picture_.rect();
            if (!pixels.intersects(tile)) {
                continue;
            }
            covered_ = isTransparent(picture_, tile) ? covered_ - tile : covered_ + tile;
        }
    }
}

} // namespace pollard::app

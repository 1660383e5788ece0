#include "vm/image/view_transform.hpp"

#include <algorithm>

namespace pollard::vm {

namespace {

QPointF middleOf(const QSizeF& size) { return {size.width() / 2, size.height() / 2}; }

} // namespace

QPointF ViewTransform::toImage(QPointF view) const noexcept { return centre + (view - middleOf(viewSize)) / zoom; }

QPointF ViewTransform::toView(QPointF image) const noexcept { return middleOf(viewSize) + (image - centre) * zoom; }

double ViewTransform::fitZoom() const noexcept {
    if (!isValid()) {
        return 1;
    }
    return std::min(viewSize.width() / imageSize.width(), viewSize.height() / imageSize.height());
}

double ViewTransform::minimumZoom() const noexcept { return std::min(1.0, fitZoom() / 4); }

double ViewTransform::clampZoom(double value) const noexcept {
    // A tiny image in a large window fits at more than the largest zoom; that must remain possible.
    return std::clamp(value, minimumZoom(), std::max(kMaxZoom, fitZoom()));
}

ViewTransform ViewTransform::fitted() const noexcept {
    ViewTransform result = *this;
    result.zoom = fitZoom();
    result.centre = middleOf(imageSize);
    return result;
}

ViewTransform ViewTransform::zoomedAbout(QPointF view, double value) const noexcept {
    const QPointF anchor = toImage(view);
    ViewTransform result = *this;
    result.zoom = clampZoom(value);
    result.centre = anchor - (view - middleOf(viewSize)) / result.zoom;
    return result.clamped();
}

ViewTransform ViewTransform::panned(QPointF delta) const noexcept {
    ViewTransform result = *this;
    result.centre -= delta / zoom;
    return result.clamped();
}

ViewTransform ViewTransform::clamped() const noexcept {
    ViewTransform result = *this;
    result.centre.setX(std::clamp<double>(centre.x(), 0, std::max(0, imageSize.width())));
    result.centre.setY(std::clamp<double>(centre.y(), 0, std::max(0, imageSize.height())));
    return result;
}

} // namespace pollard::vm

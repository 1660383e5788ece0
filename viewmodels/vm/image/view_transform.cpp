#include "vm/image/view_transform.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRectF>

#include <algorithm>
#include <cmath>

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

ExportPlan planExport(const ExportChoice& choice, const ViewTransform& view) {
    ExportPlan plan;
    if (!view.isValid() || !(choice.scale > 0)) {
        return plan;
    }
    const QRectF image(QPointF(0, 0), QSizeF(view.imageSize));
    QRectF part = image;
    if (!choice.wholeImage) {
        const QPointF corner = view.toView({0, 0});
        const QPointF drawn(std::round(corner.x()), std::round(corner.y()));
        part = QRectF(-drawn / view.zoom, view.viewSize / view.zoom).intersected(image);
    }
    if (part.isEmpty()) {
        return plan;
    }
    plan.scale = choice.scale;
    plan.origin = -part.topLeft() * choice.scale;
    // A product like 99.99999 must be rounded up to 100 px.
    const auto side = [&](double length) { return std::max(1.0, std::ceil(length * choice.scale - 1e-6)); };
    const double width = side(part.width());
    const double height = side(part.height());
    const bool tooLong = width > kLargestExportSide || height > kLargestExportSide;
    if (tooLong || width * height > static_cast<double>(kMostExportPixels)) {
        const QLocale locale;
        plan.problem =
            QCoreApplication::translate("ExportPlan", "%1 × %2 px are too many: at most %3 px a side, %4 MP altogether")
                .arg(locale.toString(width, 'f', 0), locale.toString(height, 'f', 0),
                     locale.toString(kLargestExportSide), locale.toString(kMostExportPixels / 1'000'000));
        return plan;
    }
    plan.size = QSize(static_cast<int>(width), static_cast<int>(height));
    plan.pixels = static_cast<quint64>(plan.size.width()) * static_cast<quint64>(plan.size.height());
    return plan;
}

} // namespace pollard::vm

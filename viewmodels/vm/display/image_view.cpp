#include "vm/display/image_view.hpp"

namespace pollard::vm {

QString ImageView::zoomText() const {
    const double percent = transform_.zoom * 100;
    return tr("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

void ImageView::setImageSize(QSize size) {
    if (size != transform_.imageSize) {
        ViewTransform view = transform_;
        view.imageSize = size;
        apply(view.fitted(), true);
    }
}

void ImageView::setViewSize(const QSizeF& size) {
    if (size == transform_.viewSize) {
        return;
    }
    ViewTransform view = transform_;
    view.viewSize = size;
    apply(fitting_ ? view.fitted() : view, fitting_);
}

void ImageView::setZoom(double zoom) {
    const QPointF middle(transform_.viewSize.width() / 2, transform_.viewSize.height() / 2);
    if (zoom > 0) {
        apply(transform_.zoomedAbout(middle, zoom), false);
    }
}

void ImageView::setCentre(const QPointF& image) {
    ViewTransform view = transform_;
    view.centre = image;
    apply(view.clamped(), false);
}

void ImageView::zoomAbout(const QPointF& view, double factor) {
    if (factor > 0) {
        apply(transform_.zoomedAbout(view, transform_.zoom * factor), false);
    }
}

void ImageView::apply(const ViewTransform& view, bool fitting) {
    if (view == transform_ && fitting == fitting_) {
        return;
    }
    transform_ = view;
    fitting_ = fitting;
    emit changed();
}

} // namespace pollard::vm

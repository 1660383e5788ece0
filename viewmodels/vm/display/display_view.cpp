// DisplayViewModel: zoom and position of the picture.
#include "vm/display/display_view_model.hpp"

namespace pollard::vm {

namespace {

constexpr double kZoomStep = 1.25;

} // namespace

QString DisplayViewModel::zoomText() const {
    const double percent = view_.zoom * 100;
    return tr("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

void DisplayViewModel::setViewSize(const QSizeF& size) {
    if (size == view_.viewSize) {
        return;
    }
    ViewTransform view = view_;
    view.viewSize = size;
    applyView(fitting_ ? view.fitted() : view, fitting_);
}

void DisplayViewModel::fit() { applyView(view_.fitted(), true); }

void DisplayViewModel::actualSize() { setZoom(1); }

void DisplayViewModel::setZoom(double zoom) {
    const QPointF middle(view_.viewSize.width() / 2, view_.viewSize.height() / 2);
    if (zoom > 0) {
        applyView(view_.zoomedAbout(middle, zoom), false);
    }
}

void DisplayViewModel::setCentre(const QPointF& image) {
    ViewTransform view = view_;
    view.centre = image;
    applyView(view.clamped(), false);
}

void DisplayViewModel::zoomAbout(const QPointF& view, double factor) {
    if (factor > 0) {
        applyView(view_.zoomedAbout(view, view_.zoom * factor), false);
    }
}

void DisplayViewModel::zoomIn() { setZoom(view_.zoom * kZoomStep); }

void DisplayViewModel::zoomOut() { setZoom(view_.zoom / kZoomStep); }

void DisplayViewModel::pan(const QPointF& viewDelta) { applyView(view_.panned(viewDelta), false); }

void DisplayViewModel::applyView(const ViewTransform& view, bool fitting) {
    if (view == view_ && fitting == fitting_) {
        return;
    }
    view_ = view;
    fitting_ = fitting;
    emit viewChanged();
}

} // namespace pollard::vm

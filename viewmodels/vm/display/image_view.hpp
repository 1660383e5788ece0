#pragma once

#include "vm/image/view_transform.hpp"

#include <QObject>
#include <QPointF>
#include <QSize>
#include <QSizeF>
#include <QString>

namespace pollard::vm {

/// Zoom and position of an image.
class ImageView : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] const ViewTransform& transform() const noexcept { return transform_; }
    [[nodiscard]] bool isFitting() const noexcept { return fitting_; } ///< follows the view's size
    [[nodiscard]] QString zoomText() const;                            ///< "125 %"

    /// An image of another size is fitted.
    void setImageSize(QSize size);
    void setViewSize(const QSizeF& size);
    void fit() { apply(transform_.fitted(), true); }
    /// Around the middle of the view.
    void setZoom(double zoom);
    void setCentre(const QPointF& image);
    /// Multiplies the zoom around a fixed point @p view.
    void zoomAbout(const QPointF& view, double factor);
    void zoomIn() { setZoom(transform_.zoom * kZoomStep); }
    void zoomOut() { setZoom(transform_.zoom / kZoomStep); }
    void pan(const QPointF& viewDelta) { apply(transform_.panned(viewDelta), false); }

signals:
    void changed();

private:
    static constexpr double kZoomStep = 1.25;

    void apply(const ViewTransform& view, bool fitting);

    ViewTransform transform_;
    bool fitting_ = true;
};

} // namespace pollard::vm

#pragma once

#include "docks/tree/plane_image.hpp"
#include "docks/tree/plane_input.hpp"
#include "docks/tree/plane_marks.hpp"
#include "plot/chart.hpp"

#include <QPixmap>

#include <array>
#include <optional>

class QCategoryAxis;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

/// The plane of two attributes as a density image with axes and the histogram of each.
///
/// A drag draws the filter rectangle; a drag inside moves it, a drag of a side moves that side. Escape, Delete or a
/// double click remove it. Arrows move it by a cell, with Shift its upper right corner, with Ctrl by ten cells. With
/// the lasso a drag encloses components instead.
class AttributePlaneView : public Chart {
    Q_OBJECT

public:
    /// @param plane must outlive this
    explicit AttributePlaneView(vm::AttributePlaneViewModel& plane, QWidget* parent = nullptr);

    [[nodiscard]] bool isLasso() const noexcept { return input_.isLasso(); }
    void setLasso(bool lasso);

    /// Pixel of this widget for a point of the plane (0..1 on both axes, y upwards).
    [[nodiscard]] QPointF pixelOf(QPointF place) const;
    /// The point of the plane under the pointer, possibly outside of 0..1; nothing if the pointer is outside of this.
    [[nodiscard]] std::optional<QPointF> pointedPlace() const noexcept { return pointed_; }

    [[nodiscard]] QSize sizeHint() const override { return {520, 260}; }

signals:
    void pointedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dressSeries(const QPalette& palette) override;

private:
    void onPlane();
    void showTicks();
    void setPointed(std::optional<QPointF> place);
    [[nodiscard]] PlaneArea area() const;
    [[nodiscard]] QString emptyText() const;
    /// Repaints rectangle, mark and lasso over the cached chart and image.
    void updateMarks(const QRegion& region);
    void forgetImage();
    void makeGround();

    vm::AttributePlaneViewModel& plane_;
    std::array<QCategoryAxis*, 2> axes_; ///< x and y; both in plane coordinates
    PlaneImage picture_;
    PlaneMarks marks_;
    PlaneInput input_;
    QPixmap ground_;         ///< chart and image; null: out of date
    bool onlyMarks_ = false; ///< only the marks have changed since the last paint
    std::optional<QPointF> pointed_;
};

} // namespace pollard::app

#pragma once

#include <QChartView>
#include <QImage>
#include <QPixmap>
#include <QPolygonF>

#include <array>
#include <optional>

class QCategoryAxis;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

/// The plane of two attributes as a density picture with axes and the histogram of each.
///
/// A drag draws the filter rectangle; a drag inside moves it, a drag of a side moves that side. Escape, Delete or a
/// double click remove it. Arrows move it by a cell, with Shift its upper right corner, with Ctrl by ten cells. With
/// the lasso a drag encloses components instead.
class AttributePlaneView : public QChartView {
    Q_OBJECT

public:
    /// @param plane must outlive this
    explicit AttributePlaneView(vm::AttributePlaneViewModel& plane, QWidget* parent = nullptr);

    [[nodiscard]] bool isLasso() const noexcept { return lasso_; }
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
    void changeEvent(QEvent* event) override;

private:
    static constexpr int kMarginal = 34; ///< px of the histograms beside the plane
    static constexpr int kGap = 3;       ///< px between them and the plane

    /// Effect of a drag.
    struct Grip {
        bool moves = false; ///< the whole rectangle
        Qt::Edges sides;    ///< or these sides; none: draws a new one
    };

    void onPlane();
    void showTicks();
    void dress();
    void drag(QPointF pixel);
    void endDrag();
    void setPointed(std::optional<QPointF> place);
    void showCursor(QPointF pixel);
    [[nodiscard]] bool moveByKey(const QKeyEvent& event);
    [[nodiscard]] QPointF placeAt(QPointF pixel) const;
    [[nodiscard]] QRectF rectanglePixels() const; ///< null without one
    [[nodiscard]] Grip gripAt(QPointF pixel) const;
    [[nodiscard]] QString emptyText() const;
    /// Repaints rectangle and mark over the cached chart and density.
    void updateMarks();
    /// Repaints them if they differ from the painted ones.
    void updateRectangle();
    void updateMark();
    /// The area covered by a rectangle, enlarged by @p more px.
    [[nodiscard]] QRegion touchedBy(const QRectF& rectangle, int more) const;
    void forgetDensity();
    void makeGround();
    void makeDensity();
    void paintDensity(QPainter& painter);
    void paintMarginals(QPainter& painter) const;
    /// Highlights the part of the histograms inside the rectangle.
    void paintGlow(QPainter& painter) const;
    void paintRectangle(QPainter& painter) const;
    void paintMark(QPainter& painter) const;
    void paintLasso(QPainter& painter) const;

    vm::AttributePlaneViewModel& plane_;
    std::array<QCategoryAxis*, 2> axes_; ///< x and y; both in plane coordinates
    QImage density_;                     ///< in device px; null: out of date
    QPixmap ground_;                     ///< chart, density and histograms; null: out of date
    QRectF paintedRectangle_;            ///< px; null: none
    std::optional<QPointF> paintedMark_; ///< plane coordinates
    bool onlyMarks_ = false;             ///< only rectangle and mark have changed since the last paint
    bool lasso_ = false;
    bool dragging_ = false;
    bool drew_ = false; ///< the drag was long enough
    Grip grip_;
    QPointF pressed_;    ///< px
    QRectF held_;        ///< rectangle at the start of the drag, plane coordinates
    QPolygonF enclosed_; ///< by the lasso, plane coordinates
    std::optional<QPointF> pointed_;
};

} // namespace pollard::app

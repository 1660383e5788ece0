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

/// The plane of two attributes as a density picture in axes, with the histogram of each beside it.
///
/// A drag draws the rectangle that filters; a drag inside moves it, one at its border moves that side. Escape, Delete
/// or a double click take it away. Arrows move it by a cell, with Shift its upper right corner, with Ctrl by ten. With
/// the lasso a drag encloses components instead.
class AttributePlaneView : public QChartView {
    Q_OBJECT

public:
    /// @param plane must outlive this
    explicit AttributePlaneView(vm::AttributePlaneViewModel& plane, QWidget* parent = nullptr);

    [[nodiscard]] bool isLasso() const noexcept { return lasso_; }
    void setLasso(bool lasso);

    /// Where a place of the plane (0..1 on both axes, y upwards) is, in px of this widget.
    [[nodiscard]] QPointF pixelOf(QPointF place) const;
    /// The place that is pointed at, which may lie beside the plane; nothing if the pointer is elsewhere.
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

    /// What a drag that begins at a place does.
    struct Grip {
        bool moves = false; ///< the whole rectangle
        Qt::Edges sides;    ///< or these of it; neither: draws a new one
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
    /// Paints again; the chart and the density are those of before.
    void updateMarks();
    /// The same, where the rectangle or the mark differs from what is painted.
    void updateRectangle();
    void updateMark();
    /// What a rectangle colours, and so many px around it.
    [[nodiscard]] QRegion touchedBy(const QRectF& rectangle, int more) const;
    void forgetDensity();
    void makeGround();
    void makeDensity();
    void paintDensity(QPainter& painter);
    void paintMarginals(QPainter& painter) const;
    /// What the rectangle takes of the histograms.
    void paintGlow(QPainter& painter) const;
    void paintRectangle(QPainter& painter) const;
    void paintMark(QPainter& painter) const;
    void paintLasso(QPainter& painter) const;

    vm::AttributePlaneViewModel& plane_;
    std::array<QCategoryAxis*, 2> axes_; ///< x and y; both run over places
    QImage density_;                     ///< in px of the device; null: to be made anew
    QPixmap ground_;                     ///< chart, density and histograms; null: to be made anew
    QRectF paintedRectangle_;            ///< px; null: none
    std::optional<QPointF> paintedMark_; ///< place
    bool onlyMarks_ = false;             ///< what is to be painted differs from the last time in them alone
    bool lasso_ = false;
    bool dragging_ = false;
    bool drew_ = false; ///< the drag went far enough to mean something
    Grip grip_;
    QPointF pressed_;    ///< px
    QRectF held_;        ///< the rectangle's places when the drag began
    QPolygonF enclosed_; ///< by the lasso, places
    std::optional<QPointF> pointed_;
};

} // namespace pollard::app

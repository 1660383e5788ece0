#pragma once

#include "docks/tree/plane_image.hpp"
#include "plot/chart.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"

#include <QPixmap>
#include <QPolygonF>
#include <QToolButton>
#include <QWidget>

#include <array>
#include <optional>

class QCategoryAxis;
class QKeyEvent;
class QLayout;

namespace pollard::app {

class ElidedLabel;

/// Mouse and keys on the plane of two attributes: they draw, move and resize the filter rectangle, or enclose
/// components with the lasso.
class PlaneInput {
public:
    /// @param plane must outlive this
    explicit PlaneInput(vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    [[nodiscard]] bool isLasso() const noexcept { return lasso_; }
    void setLasso(bool lasso);
    [[nodiscard]] bool isDragging() const noexcept { return dragging_; }
    /// The outline of the lasso, plane coordinates.
    [[nodiscard]] const QPolygonF& enclosed() const noexcept { return enclosed_; }

    /// Starts a drag; false if the plane does not take the press.
    [[nodiscard]] bool press(const PlaneArea& area, QPointF pixel);
    void drag(const PlaneArea& area, QPointF pixel);
    void release(const PlaneArea& area, QPointF pixel);
    /// Ends a drag without effect and drops the lasso's outline.
    void cancel();

    /// Whether a key ends a drag or removes a rectangle or an outline.
    [[nodiscard]] bool removes(const QKeyEvent& event) const;
    /// False if the key has no effect here.
    [[nodiscard]] bool key(const QKeyEvent& event);
    [[nodiscard]] Qt::CursorShape cursorAt(const PlaneArea& area, QPointF pixel) const;

private:
    /// Effect of a drag.
    struct Grip {
        bool moves = false; ///< the whole rectangle
        Qt::Edges sides;    ///< or these sides; none: draws a new one
    };
    [[nodiscard]] Grip gripAt(const PlaneArea& area, QPointF pixel) const;
    void dragRectangle(const PlaneArea& area, QPointF pixel);

    vm::AttributePlaneViewModel& plane_;
    bool lasso_ = false;
    bool dragging_ = false;
    bool drew_ = false; ///< the pointer has moved far enough for a drag
    Grip grip_;
    QPointF pressed_; ///< px
    QRectF held_;     ///< rectangle at the start of the drag, plane coordinates
    QPolygonF enclosed_;
};

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
    void styleSeries(const QPalette& palette) override;

private:
    void onPlane();
    void showTicks();
    void setPointed(std::optional<QPointF> place);
    [[nodiscard]] PlaneArea area() const;
    [[nodiscard]] QString emptyText() const;
    /// Repaints rectangle, mark and lasso over the cached chart and image.
    void updateMarks(const QRegion& region);
    void forgetImage();
    void cacheChart();

    vm::AttributePlaneViewModel& plane_;
    std::array<QCategoryAxis*, 2> axes_; ///< x and y; both in plane coordinates
    PlaneImage image_;
    PlaneMarks marks_;
    PlaneInput input_;
    QPixmap cachedChart_;    ///< chart and image; null: out of date
    bool onlyMarks_ = false; ///< only the marks have changed since the last paint
    std::optional<QPointF> pointed_;
};

/// The plane dock: choice of two attributes and their scales, the mode of the rectangle, the plane, and a line about
/// the cell under the pointer or the rectangle.
class AttributePlanePanel : public QWidget {
    Q_OBJECT

public:
    /// @param plane must outlive this
    explicit AttributePlanePanel(vm::AttributePlaneViewModel& plane, QWidget* parent = nullptr);

private:
    using Side = vm::AttributePlaneViewModel::Side;

    void addAxis(QLayout& head, Side side, const QString& title);
    void showReadout();

    vm::AttributePlaneViewModel& plane_;
    QToolButton* clear_ = nullptr;
    AttributePlaneView* view_ = nullptr;
    ElidedLabel* readout_ = nullptr;
    QString chosen_; ///< components in the lasso
};

} // namespace pollard::app

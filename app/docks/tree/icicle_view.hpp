#pragma once

#include "docks/tree/icicle_glide.hpp"

#include <QPolygonF>
#include <QRect>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Draws the icicle with its axes and the chain in it. The wheel zooms along areas, with Ctrl or Shift along levels; a
/// drag moves; a click holds a component; a double click goes into it, Backspace back. Arrow keys walk from component
/// to component: up to the parent, down to the first child, left and right to the siblings. A focus that comes or goes
/// is a short movement, if movements are wanted.
class IcicleView : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive this.
    IcicleView(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Where a place of the view-model is, in px of this widget.
    [[nodiscard]] QPointF pixelOf(QPointF place) const;
    [[nodiscard]] QPointF placeAt(QPointF pixel) const;
    /// What the widget shows now: in the middle of a movement not yet what is to be shown.
    [[nodiscard]] IcicleRect shownPart() const;
    [[nodiscard]] IcicleGlide& glide() noexcept { return glide_; }

    [[nodiscard]] QSize sizeHint() const override { return {640, 200}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 110}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void setPlot();
    void setSurface();
    void setColours();
    void paintMessage(QPainter& painter) const;
    void paintPicture(QPainter& painter) const;
    void paintFrame(QPainter& painter, const vm::IcicleFrame& frame) const;
    void paintChain(QPainter& painter) const;
    void paintAreas(QPainter& painter) const;
    [[nodiscard]] QRectF pixelsOf(const IcicleRect& part) const;
    [[nodiscard]] QRectF boxOf(std::uint32_t node) const;
    /// Left and right sides of the boxes of a chain, from the smallest up.
    [[nodiscard]] std::pair<QPolygonF, QPolygonF> sidesOf(std::span<const std::uint32_t> chain) const;

    vm::IcicleViewModel& icicle_;
    vm::ChainViewModel& chain_;
    QRect plot_;                     ///< where the icicle is
    std::optional<QPointF> pressed_; ///< where the left button went down, until it is up
    QPointF last_;                   ///< where the pointer was while it drags
    bool dragging_ = false;
    IcicleGlide glide_;
};

} // namespace pollard::app

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

/// Draws the icicle with its axes and the current chain. The wheel zooms along areas, with Ctrl or Shift along levels;
/// a drag moves; a click holds a component; a double click zooms to it, Backspace goes back. Arrow keys move to other
/// components: up to the parent, down to the first child, left and right to the siblings. Changes of the focus are
/// animated if animations are allowed.
class IcicleView : public QWidget {
    Q_OBJECT

public:
    /// @param icicle,chain must outlive this
    IcicleView(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Pixel of this widget for a point of the view-model.
    [[nodiscard]] QPointF pixelOf(QPointF place) const;
    [[nodiscard]] QPointF placeAt(QPointF pixel) const;
    /// The part shown: during an animation an intermediate one.
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
    void paintImage(QPainter& painter) const;
    void paintFrame(QPainter& painter, const vm::IcicleFrame& frame) const;
    void paintChain(QPainter& painter) const;
    void paintAreas(QPainter& painter) const;
    [[nodiscard]] QRectF pixelsOf(const IcicleRect& part) const;
    [[nodiscard]] QRectF boxOf(std::uint32_t node) const;
    /// Left and right sides of the boxes of a chain, from the smallest up.
    [[nodiscard]] std::pair<QPolygonF, QPolygonF> sidesOf(std::span<const std::uint32_t> chain) const;

    vm::IcicleViewModel& icicle_;
    vm::ChainViewModel& chain_;
    QRect plot_;                     ///< of the icicle
    std::optional<QPointF> pressed_; ///< position of the press while the left button is down
    QPointF last_;                   ///< last position of the pointer during a drag
    bool dragging_ = false;
    IcicleGlide glide_;
};

} // namespace pollard::app

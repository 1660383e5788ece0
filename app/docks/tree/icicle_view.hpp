#pragma once

#include "vm/tree/icicle_view_model.hpp"

#include <QPalette>
#include <QPolygonF>
#include <QRect>
#include <QRectF>
#include <QVariantAnimation>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

class QKeyEvent;
class QPainter;

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// Whether the views of the tree handle a key, even if it is a shortcut of the window.
[[nodiscard]] bool isIcicleKey(const QKeyEvent& event);

/// Arrows go to the parent, the first child and the siblings of the held component, Return zooms to it, Escape releases
/// it; Backspace goes back, Home shows the whole tree; plus and minus zoom along areas.
/// @returns false if the key is not handled
bool pressIcicleKey(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key);

/// Width of the level axis, px.
[[nodiscard]] int levelAxisWidth(const QWidget& widget);

/// Paints levels, or depths, to the left of a plot, with their title at the edge of the widget.
/// @param top,bottom heights (IcicleLayout) at the upper and the lower side of the plot
void paintLevelAxis(QPainter& painter, const QWidget& widget, const QRectF& plot, const vm::IcicleViewModel& icicle,
                    double top, double bottom);

/// Colours of an icicle on this background: viridis, and pale grey for nodes removed by the filter.
[[nodiscard]] vm::IciclePalette iciclePalette(const QPalette& palette);

/// Colour scale of an icicle from the smallest to the largest value, with both values.
class IcicleLegend : public QWidget {
    Q_OBJECT

public:
    /// @param icicle must outlive this
    explicit IcicleLegend(vm::IcicleViewModel& icicle, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int textWidth() const; ///< width of the wider value, px

    vm::IcicleViewModel& icicle_;
};

/// Interpolates between two parts of an icicle at @p t (0..1): zooms by equal factors in equal times around a fixed
/// point.
[[nodiscard]] IcicleRect icicleBetween(const IcicleRect& from, const IcicleRect& to, double t);

/// Animates between two parts of an icicle, so that the position of a subtree is visible. Paint on valueChanged().
class IcicleAnimation : public QVariantAnimation {
    Q_OBJECT

public:
    static constexpr int kDuration = 150; ///< ms

    explicit IcicleAnimation(QObject* parent = nullptr);

    /// Without animation parts change immediately.
    void setAllowed(bool allowed);
    /// Moves to another part; a running animation continues from its current part.
    /// @param frame the last image, painted below the following ones
    void begin(const IcicleRect& from, const IcicleRect& to, std::shared_ptr<const vm::IcicleFrame> frame);
    /// Jumps to the end.
    void end();
    [[nodiscard]] bool isUnderWay() const { return state() != Stopped; }
    /// The part to show; only if isUnderWay().
    [[nodiscard]] IcicleRect part() const { return icicleBetween(from_, to_, currentValue().toDouble()); }
    [[nodiscard]] const IcicleRect& target() const noexcept { return to_; }
    [[nodiscard]] const std::shared_ptr<const vm::IcicleFrame>& frame() const noexcept { return frame_; }

private:
    bool allowed_ = true;
    IcicleRect from_;
    IcicleRect to_;
    std::shared_ptr<const vm::IcicleFrame> frame_;
};

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
    [[nodiscard]] IcicleAnimation& glide() noexcept { return glide_; }

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
    IcicleAnimation glide_;
};

} // namespace pollard::app

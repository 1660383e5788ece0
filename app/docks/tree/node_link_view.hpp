#pragma once

#include <QPointF>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Draws a small subtree as nodes and links: leaves side by side, heights as in the icicle. Mouse and keys work as in
/// the icicle, without zooming and moving.
class NodeLinkView : public QWidget {
    Q_OBJECT

public:
    /// @param icicle,chain must outlive this
    NodeLinkView(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Position of a node, px of this widget; nothing if it is not shown.
    [[nodiscard]] std::optional<QPointF> pixelOf(std::uint32_t node) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF placeOf(double place, double height) const;
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(QPointF pixel) const;

    vm::IcicleViewModel& icicle_;
    vm::ChainViewModel& chain_;
};

} // namespace pollard::app

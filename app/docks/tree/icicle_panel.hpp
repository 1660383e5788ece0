#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPointF>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

class AttributeButton;
class ElidedLabel;
class IcicleView;

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

/// The tree dock: the icicle of the whole tree, the choice of its colours, and the path to the visible part. Painted
/// only while visible.
class IciclePanel : public QWidget {
    Q_OBJECT

public:
    /// @param icicle,chain must outlive this
    IciclePanel(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Whether changes of the part are animated.
    void setMoving(bool moving);

private:
    [[nodiscard]] QLayout* makeHead();
    void connectModel();
    void showPlace();

    vm::IcicleViewModel& icicle_;
    AttributeButton* attribute_;
    QCheckBox* logarithmic_;
    QCheckBox* removed_;
    QComboBox* height_;
    IcicleView* view_;
    QToolButton* links_;
    QToolButton* back_;
    QToolButton* whole_;
    QLabel* crumbs_;
    ElidedLabel* readout_;
    QStackedWidget* pages_; ///< icicle, nodes and links
};

} // namespace pollard::app

#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

class AttributeButton;
class ElidedLabel;
class IcicleView;

/// The tree dock: the icicle of the whole tree, the choice of its colours, and the path to the part shown. Painted only
/// while visible.
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

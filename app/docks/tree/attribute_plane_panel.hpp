#pragma once

#include "vm/tree/attribute_plane_view_model.hpp"

#include <QCheckBox>
#include <QToolButton>
#include <QWidget>

#include <array>

namespace pollard::app {

class AttributeButton;
class AttributePlaneView;
class ElidedLabel;

/// The plane dock: choice of two attributes and their scales, the mode of the rectangle, the plane, and a line about
/// the cell under the pointer or the rectangle.
class AttributePlanePanel : public QWidget {
    Q_OBJECT

public:
    /// @param plane must outlive this
    explicit AttributePlanePanel(vm::AttributePlaneViewModel& plane, QWidget* parent = nullptr);

private:
    using Side = vm::AttributePlaneViewModel::Side;

    /// Controls of one axis.
    struct AxisControls {
        AttributeButton* attribute = nullptr;
        QCheckBox* logarithmic = nullptr;
    };
    [[nodiscard]] AxisControls makeAxis(Side side);
    void showChoices();
    void showReadout();

    vm::AttributePlaneViewModel& plane_;
    std::array<AxisControls, 2> axes_; ///< x and y
    QToolButton* swap_;
    QToolButton* inverse_;
    QToolButton* lasso_;
    QToolButton* clear_;
    AttributePlaneView* view_;
    ElidedLabel* readout_;
    QString chosen_; ///< components in the lasso
};

} // namespace pollard::app

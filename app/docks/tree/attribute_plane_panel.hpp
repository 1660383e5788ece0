#pragma once

#include "vm/tree/attribute_plane_view_model.hpp"

#include <QToolButton>
#include <QWidget>

class QLayout;

namespace pollard::app {

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

    void addAxis(QLayout& head, Side side, const QString& title);
    void showReadout();

    vm::AttributePlaneViewModel& plane_;
    QToolButton* clear_ = nullptr;
    AttributePlaneView* view_ = nullptr;
    ElidedLabel* readout_ = nullptr;
    QString chosen_; ///< components in the lasso
};

} // namespace pollard::app

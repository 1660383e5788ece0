#pragma once

#include <QComboBox>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Selects the current one of several contours, adds contours and removes the current one.
class ContourPicker : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    /// @param add actions that add a contour
    ContourPicker(vm::ContourViewModel& contours, const QList<QAction*>& add, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
    QComboBox* which_;
    QToolButton* add_;
    QToolButton* remove_;
};

} // namespace pollard::app

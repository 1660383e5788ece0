#pragma once

#include <QComboBox>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Which of several contours is at hand, to be added to, and without one of them.
class ContourPicker : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    /// @param add places that another contour can start from
    ContourPicker(vm::ContourViewModel& contours, const QList<QAction*>& add, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
    QComboBox* which_;
    QToolButton* add_;
    QToolButton* remove_;
};

} // namespace pollard::app

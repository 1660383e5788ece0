#pragma once

#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

class QComboBox;

namespace pollard::vm {
class LabViewModel;
}

namespace pollard::app {

/// Examples, size and brush of the lab's image.
class LabImageControls : public QWidget {
    Q_OBJECT

public:
    /// @param lab must outlive this
    explicit LabImageControls(vm::LabViewModel& lab, QWidget* parent = nullptr);

    /// Sets whether there is an open image to crop.
    void setCropPossible(bool possible) { crop_->setEnabled(possible); }

signals:
    void cropWanted();

private:
    QSpinBox* makeSide(const char* name, const QString& title, const QString& tip);
    void showState();

    vm::LabViewModel& lab_;
    QComboBox* example_;
    QSpinBox* width_;
    QSpinBox* height_;
    QSpinBox* brush_;
    QPushButton* crop_;
    QPushButton* undo_;
};

} // namespace pollard::app

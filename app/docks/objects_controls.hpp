#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

namespace pollard::vm {
class ObjectsViewModel;
}

namespace pollard::app {

class RangeSlider;

/// Which pixels make objects: picture, threshold, neighbours; and how strongly the objects are coloured.
class ObjectsControls : public QWidget {
    Q_OBJECT

public:
    /// @param objects must outlive this
    explicit ObjectsControls(vm::ObjectsViewModel& objects, QWidget* parent = nullptr);

private:
    void makeChoices();
    void makeRange();
    void connectModel();
    void refresh();

    vm::ObjectsViewModel& objects_;
    QComboBox* source_;
    QComboBox* threshold_;
    QCheckBox* dark_;
    QSpinBox* low_;
    QSpinBox* high_;
    RangeSlider* range_;
    QComboBox* connectivity_;
    QSlider* opacity_;
};

} // namespace pollard::app

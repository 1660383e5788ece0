#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

namespace pollard {
struct ObjectRule;
}

namespace pollard::vm {
class ObjectsViewModel;
}

namespace pollard::app {

class MeasureButton;
class RangeSlider;
class ValueBox;

/// Definition of objects: image, threshold, connectivity, holes; whether objects at the border count; and the opacity
/// of the object colours.
class ObjectsControls : public QWidget {
    Q_OBJECT

public:
    /// @param objects must outlive this
    explicit ObjectsControls(vm::ObjectsViewModel& objects, QWidget* parent = nullptr);

private:
    void makeChoices();
    /// A check box of a switch of the rule. @param name of the widget
    QCheckBox* addOption(const QString& name, const QString& caption, bool ObjectRule::*option);
    void makeBackground();
    void makeRange();
    void connectModel();
    void refresh();
    void showSource();
    void showChannels();
    /// Offers the neighbours and files of images or of volumes.
    void showKind();

    vm::ObjectsViewModel& objects_;
    QComboBox* source_;
    QLabel* measured_; ///< meaning of the levels, if not obvious
    MeasureButton* channels_;
    QLabel* channelsCaption_ = nullptr;
    QLabel* channelsState_;
    QComboBox* threshold_;
    QCheckBox* dark_;
    QWidget* background_; ///< sigmas and box of the local background
    QDoubleSpinBox* sigmas_;
    QSpinBox* box_;
    QLabel* levelsCaption_ = nullptr;
    QWidget* to_ = nullptr; ///< between the bounds
    ValueBox* low_;
    ValueBox* high_;
    RangeSlider* range_;
    QComboBox* connectivity_;
    QCheckBox* fillHoles_;
    QCheckBox* borderInZ_; ///< of volumes
    QSlider* opacity_;
    QCheckBox* outlines_;
};

} // namespace pollard::app

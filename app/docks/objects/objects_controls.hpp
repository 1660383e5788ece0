#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

#include <array>
#include <vector>

namespace pollard {
struct ObjectRule;
}

namespace pollard::vm {
class MeasuredChannels;
class ObjectTableModel;
class ObjectsViewModel;
} // namespace pollard::vm

namespace pollard::app {

class RangeSlider;
class RegionControls;
class ValueBox;
struct ControlRow;

/// A button that names the channels in which objects are measured, and opens their choice: all or single channels,
/// pairs, background ring, and a channel whose objects are counted.
class MeasureButton : public QPushButton {
    Q_OBJECT

public:
    /// @param channels must outlive this
    explicit MeasureButton(vm::MeasuredChannels& channels, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeChoices();
    void showChoice();
    void showText();
    void count();

    vm::MeasuredChannels& channels_;
    QCheckBox* all_;
    QListWidget* list_;
    Qt::CheckState pressed_ = Qt::Unchecked; ///< state of the row when the mouse button went down
    int pressedRow_ = -1;
    QCheckBox* pairs_;
    QSpinBox* ring_;
    QComboBox* counted_;
    QLineEdit* countedFrom_; ///< empty: Otsu
};

/// Definition of objects: image, way to find them with its controls, connectivity, holes; whether objects at the border
/// count; and the opacity of the object colours.
class ObjectsControls : public QWidget {
    Q_OBJECT

public:
    /// @param objects,table must outlive this
    ObjectsControls(vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table, QWidget* parent = nullptr);

private:
    void makeChoices();
    void makeWays();
    /// A check box of a switch of the rule. @param name of the widget
    QCheckBox* addOption(const QString& name, const QString& caption, bool ObjectRule::*option);
    void makeBackground();
    void makeSplit();
    void makeRange();
    void connectModel();
    void refresh();
    void showWay();
    void showSource();
    void showChannels();
    /// Offers the neighbours and files of images or of volumes.
    void showKind();

    vm::ObjectsViewModel& objects_;
    QComboBox* source_;
    QLabel* measured_; ///< says which levels are measured; visible if objects are found in a changed result
    MeasureButton* channels_;
    QLabel* channelsCaption_ = nullptr;
    QLabel* channelsState_;
    QComboBox* find_; ///< the way to find objects
    RegionControls* regions_;
    std::array<std::vector<QWidget*>, 5> ofWays_; ///< per vm::FindBy the widgets of its RegionControls
    QWidget* thresholdCaption_ = nullptr;
    QWidget* splitCaption_ = nullptr;
    QWidget* neighboursCaption_ = nullptr;
    QComboBox* threshold_;
    QCheckBox* dark_;
    QWidget* background_; ///< sigmas and box of the local background
    QDoubleSpinBox* sigmas_;
    QSpinBox* box_;
    QLabel* levelsCaption_ = nullptr;
    QWidget* to_ = nullptr; ///< the word between the bounds
    ValueBox* low_;
    ValueBox* high_;
    RangeSlider* range_;
    QComboBox* connectivity_;
    QCheckBox* fillHoles_;
    QComboBox* split_;
    QSlider* splitStrength_; ///< percent
    QCheckBox* borderInZ_;   ///< visible for volumes
    QSlider* opacity_;
    QCheckBox* outlines_;
};

} // namespace pollard::app

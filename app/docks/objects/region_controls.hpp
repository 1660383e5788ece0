#pragma once

#include "vm/objects/object_regions.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QObject>
#include <QPushButton>
#include <QSlider>
#include <QString>
#include <QWidget>

#include <vector>

namespace pollard::vm {
class BestLearning;
class ObjectsViewModel;
class ObjectTableModel;
} // namespace pollard::vm

namespace pollard::app {

class LengthBox;
class StrengthScale;
class ValueBox;

/// A row of a panel: a caption, a control, and perhaps a second one.
struct ControlRow {
    QString caption; ///< empty: the control takes its place
    QWidget* control = nullptr;
    QWidget* beside = nullptr;
};

/// The controls of best components, watersheds, hierarchies and labels of a file.
class RegionControls : public QObject {
    Q_OBJECT

public:
    /// @param objects,table must outlive this
    /// @param parent of the controls
    RegionControls(vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table, QWidget* parent);

    /// The rows of a way to find objects, from top to bottom; the last row says what was found.
    [[nodiscard]] std::vector<ControlRow> rows(vm::FindBy way) const;

private:
    void makeBest(QWidget* parent);
    void makeLearning(QWidget* parent);
    void makeWatershed(QWidget* parent);
    void makeHierarchy(QWidget* parent);
    void makeLabels(QWidget* parent);
    void chooseLabels();
    void refresh();
    void showBest();
    void showLearning();
    void showWatershed();
    void showHierarchy();
    void showState();
    /// Of the sizes of objects: area, in a volume volume.
    [[nodiscard]] Dimension dimension() const;
    [[nodiscard]] QString bestText() const;

    vm::ObjectsViewModel& objects_;
    vm::ObjectRegions& regions_;
    vm::BestLearning& learning_;
    const vm::ObjectTableModel& table_; ///< whose unit areas have
    LengthBox* size_ = nullptr;
    QCheckBox* dark_ = nullptr;
    QSlider* strictness_ = nullptr; ///< percent
    QLabel* strictnessText_ = nullptr;
    QPushButton* mark_ = nullptr;
    QPushButton* clear_ = nullptr;
    QPushButton* next_ = nullptr;
    QWidget* answers_ = nullptr;
    QPushButton* learn_ = nullptr;
    QPushButton* builtIn_ = nullptr;
    QComboBox* relief_ = nullptr;
    QCheckBox* lines_ = nullptr;
    QComboBox* seeds_ = nullptr;
    QSlider* least_ = nullptr; ///< positions of a LogScale
    ValueBox* leastValue_ = nullptr;
    QComboBox* strength_ = nullptr;
    QComboBox* weight_ = nullptr;
    QSlider* cut_ = nullptr; ///< positions of a LogScale
    ValueBox* cutValue_ = nullptr;
    QComboBox* drawing_ = nullptr;
    StrengthScale* scale_ = nullptr; ///< of the boundaries
    QLineEdit* labelFile_ = nullptr;
    QPushButton* chooseLabels_ = nullptr;
    std::vector<QLabel*> states_; ///< of best components, watershed, hierarchy and labels
};

} // namespace pollard::app

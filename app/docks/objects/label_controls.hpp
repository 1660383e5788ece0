#pragma once

#include "vm/labels/label_gesture.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QList>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include <cstdint>
#include <utility>

namespace pollard::vm {
class LabelEditViewModel;
class ObjectTableModel;
class ObjectsViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The tools that edit objects by hand, the size of the brush, number and class of the selected objects, and the way
/// back to the objects of the rule.
class LabelControls : public QWidget {
    Q_OBJECT

public:
    /// @param edits,objects,table must outlive this
    LabelControls(vm::LabelEditViewModel& edits, const vm::ObjectsViewModel& objects, vm::ObjectTableModel& table,
                  QWidget* parent = nullptr);

private:
    void addTool(vm::LabelTool tool, const char* icon, const QString& name, const QString& toolTip);
    void makeNumber();
    void makeClass();
    void showState();
    void showSelection();
    /// The number of the first selected object; 0: none is selected.
    [[nodiscard]] std::uint32_t selectedNumber() const;
    void renumber(bool join);

    vm::LabelEditViewModel& edits_;
    const vm::ObjectsViewModel& objects_;
    vm::ObjectTableModel& table_;
    QList<std::pair<QToolButton*, vm::LabelTool>> tools_;
    QSpinBox* brush_ = nullptr;
    QCheckBox* ball_ = nullptr;
    QSpinBox* number_ = nullptr;
    QPushButton* join_ = nullptr;
    QComboBox* class_ = nullptr;
    QPushButton* again_ = nullptr;
    QLabel* state_ = nullptr;
};

} // namespace pollard::app

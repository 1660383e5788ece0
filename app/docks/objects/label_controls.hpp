#pragma once

#include "vm/labels/label_gesture.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QList>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include <utility>

namespace pollard::vm {
class LabelEditViewModel;
class ObjectsViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The tools that edit objects by hand, the size of the brush, and the way back to the objects of the rule.
class LabelControls : public QWidget {
    Q_OBJECT

public:
    /// @param edits,objects must outlive this
    LabelControls(vm::LabelEditViewModel& edits, const vm::ObjectsViewModel& objects, QWidget* parent = nullptr);

private:
    void addTool(vm::LabelTool tool, const char* icon, const QString& name, const QString& toolTip);
    void showState();

    vm::LabelEditViewModel& edits_;
    const vm::ObjectsViewModel& objects_;
    QList<std::pair<QToolButton*, vm::LabelTool>> tools_;
    QSpinBox* brush_ = nullptr;
    QCheckBox* ball_ = nullptr;
    QPushButton* again_ = nullptr;
    QLabel* state_ = nullptr;
};

} // namespace pollard::app

#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QWidget>

namespace pollard::vm {
class ValueRangeViewModel;
}

namespace pollard::app {

/// The mapping of the values of a signed, wide or floating-point picture to levels; hidden for other pictures.
class ValueRangeControls : public QWidget {
    Q_OBJECT

public:
    /// @param range must outlive this
    explicit ValueRangeControls(vm::ValueRangeViewModel& range, QWidget* parent = nullptr);

private:
    void show(const vm::ValueRangeViewModel& range);
    void takeNumbers();

    vm::ValueRangeViewModel& range_;
    QLabel* values_ = nullptr;
    QLabel* levels_ = nullptr;
    QLabel* gaps_ = nullptr;
    QComboBox* choice_ = nullptr;
    QLineEdit* low_ = nullptr;
    QLineEdit* high_ = nullptr;
    QLabel* unit_ = nullptr;
    QPushButton* fix_ = nullptr;
};

} // namespace pollard::app

#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
class ValueRangeViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The mapping of the values of a signed, wide or floating-point image to levels; hidden for other images.
class ValueRangeControls : public QWidget {
    Q_OBJECT

public:
    /// @param range must outlive this
    explicit ValueRangeControls(vm::ValueRangeViewModel& range, QWidget* parent = nullptr);

private:
    void show(const vm::ValueRangeViewModel& range);
    void applyNumbers();

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

/// A hidden button for problems of levels that are ranks: it reads the image with levels from its smallest to its
/// largest value. @param document must outlive it
[[nodiscard]] QPushButton* evenRangeButton(vm::DocumentViewModel& document, QWidget* parent);

} // namespace pollard::app

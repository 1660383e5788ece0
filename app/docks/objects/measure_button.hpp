#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

namespace pollard::vm {
class MeasuredChannels;
}

namespace pollard::app {

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
    Qt::CheckState pressed_ = Qt::Unchecked; ///< of the row when the mouse went down on it
    int pressedRow_ = -1;
    QCheckBox* pairs_;
    QSpinBox* ring_;
    QComboBox* counted_;
    QLineEdit* countedFrom_; ///< empty: Otsu
};

} // namespace pollard::app

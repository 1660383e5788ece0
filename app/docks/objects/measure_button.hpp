#pragma once

#include <QCheckBox>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

namespace pollard::vm {
class MeasuredChannels;
}

namespace pollard::app {

/// A button that names the channels in which objects are measured, and opens their choice: all or single channels,
/// pairs, background ring.
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

    vm::MeasuredChannels& channels_;
    QCheckBox* all_;
    QListWidget* list_;
    QCheckBox* pairs_;
    QSpinBox* ring_;
};

} // namespace pollard::app

#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QWidget>

namespace pollard {
class Image;
} // namespace pollard

namespace pollard::vm {
class DisplayViewModel;
class ProfileViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// The profile dock: a list of thresholds and the small pictures that they give, in the window and tone of the canvas.
/// A click, or Return, makes a picture's threshold the criterion.
class ProfileStrip : public QWidget {
    Q_OBJECT

public:
    /// @param profile,display must outlive this
    ProfileStrip(vm::ProfileViewModel& profile, vm::DisplayViewModel& display, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHead();
    void showThresholds();
    void showPictures();
    void showCurrent();
    void showMessage();
    void readThresholds();
    /// @param highest level that is shown white, for differences; 0: the canvas's window decides
    [[nodiscard]] QIcon iconOf(const Image& picture, std::uint16_t highest) const;

    vm::ProfileViewModel& profile_;
    vm::DisplayViewModel& display_;
    QLineEdit* thresholds_ = nullptr;
    QPushButton* follow_ = nullptr;
    QCheckBox* differential_ = nullptr;
    QListWidget* pictures_;
    ElidedLabel* message_;
};

} // namespace pollard::app

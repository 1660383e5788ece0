#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QWidget>

namespace pollard {
class Image;
}

namespace pollard::vm {
class DisplayViewModel;
class ProfileViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// The profile dock: a list of thresholds with thumbnails of their results, in the window and tone of the canvas. A
/// click or Return makes the threshold of a thumbnail the criterion.
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
    void showImages();
    void showCurrent();
    void showMessage();
    void readThresholds();
    /// @param highest level shown as white, for differences; 0: window of the canvas
    [[nodiscard]] QIcon iconOf(const Image& image, std::uint16_t highest) const;

    vm::ProfileViewModel& profile_;
    vm::DisplayViewModel& display_;
    QLineEdit* thresholds_ = nullptr;
    QPushButton* follow_ = nullptr;
    QCheckBox* differential_ = nullptr;
    QListWidget* images_;
    ElidedLabel* message_;
};

} // namespace pollard::app

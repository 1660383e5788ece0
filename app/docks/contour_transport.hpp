#pragma once

#include <QComboBox>
#include <QSlider>
#include <QToolButton>
#include <QWidget>

class QHBoxLayout;

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Plays, pauses and steps through the states of a contour; the slider is their timeline.
class ContourTransport : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourTransport(vm::ContourViewModel& contours, QWidget* parent = nullptr);

    /// Space plays or pauses, Left and Right step, Home and End go to the ends. @return whether the key is one of these
    bool press(int key);
    [[nodiscard]] static bool isKey(int key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addButton(QHBoxLayout& row, const char* objectName, const QString& icon, const QString& name,
                           const QString& toolTip);
    void makeSpeed();
    void showState();

    vm::ContourViewModel& contours_;
    QToolButton* toStart_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* forward_ = nullptr;
    QToolButton* toEnd_ = nullptr;
    QSlider* timeline_;
    QComboBox* speed_;
};

} // namespace pollard::app

#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// How far contours have been followed over the pages, and a way to end it. Seen only meanwhile.
class FollowBar : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit FollowBar(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
    QLabel* text_;
    QProgressBar* bar_;
    QToolButton* stop_;
};

} // namespace pollard::app

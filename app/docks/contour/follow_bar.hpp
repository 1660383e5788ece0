#pragma once

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// How far contours have been followed over the pages, and a way to end it; afterwards the series that was made, and a
/// way to its pages. Hidden where the current run belongs to no series.
class FollowBar : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit FollowBar(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void showState();
    void showProgress();
    void showSeries();
    void goTo(int index);

    vm::ContourViewModel& contours_;
    QLabel* text_;
    QProgressBar* bar_;
    QToolButton* stop_;
    QComboBox* pages_;
};

} // namespace pollard::app

#pragma once

#include "widgets/transport_bar.hpp"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Selects the current one of several contours, adds contours and removes the current one.
class ContourPicker : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    /// @param add actions that add a contour
    ContourPicker(vm::ContourViewModel& contours, const QList<QAction*>& add, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
    QComboBox* which_;
    QToolButton* add_;
    QToolButton* remove_;
};

/// Playback controls for the states of a contour.
class ContourTransport : public TransportBar {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourTransport(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
};

/// Progress of following contours over the pages, with a button to stop; afterwards a list of the pages of the series.
/// Hidden if the current run belongs to no series.
class FollowBar : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit FollowBar(vm::ContourViewModel& contours, QWidget* parent = nullptr);

    /// The chart over the pages is wanted, and there is a series.
    [[nodiscard]] bool wantsChart() const { return chart_->isChecked() && !isHidden(); }

signals:
    void chartToggled(); ///< wantsChart()

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
    QToolButton* chart_;
};

} // namespace pollard::app

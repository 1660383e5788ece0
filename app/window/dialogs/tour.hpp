#pragma once

#include "window/dialogs/tour_steps.hpp"

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QMainWindow;
class QPushButton;
class QSettings;

namespace pollard::app {

/// A tour for new users: a note beside one control after the other, which gets a frame. Each step can be done with the
/// control or by a button of the note. The window stays usable. Escape or the last button ends the tour, which then
/// deletes itself; its changes stay and can be undone.
class Tour : public QFrame {
    Q_OBJECT

public:
    /// @param models must outlive this
    Tour(QMainWindow& window, Models& models);
    ~Tour() override;
    Tour(const Tour&) = delete;
    Tour& operator=(const Tour&) = delete;

    [[nodiscard]] int step() const noexcept { return step_; } ///< from 0
    [[nodiscard]] int stepCount() const noexcept { return static_cast<int>(steps_.size()); }
    /// The part described by the note; visible.
    [[nodiscard]] QWidget& part() const;

public slots:
    void next();
    void back();
    void end();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] const TourStep& current() const { return steps_[static_cast<std::size_t>(step_)]; }
    /// The visible button with the letter that was pressed; null for another key.
    [[nodiscard]] QPushButton* buttonOf(const QKeyEvent& event) const;
    /// Handles a key that was pressed in any control of the window. @return whether it is used up
    bool takeKey(QKeyEvent& event);
    void goTo(int step);
    void leaveStep();
    void showDone();
    void place();

    QMainWindow& window_;
    std::vector<TourStep> steps_;
    QPointer<QWidget> frame_; ///< around the part; null when the window is destroyed
    QLabel* title_;
    QLabel* text_;
    QLabel* count_;
    QLabel* done_;
    QPushButton* act_;
    QPushButton* back_;
    QPushButton* next_;
    int step_ = 0;
};

/// Starts a tour, replacing a running one.
/// @param models must outlive the window
void startTour(QMainWindow& window, Models& models);

/// Starts the tour at the first start of a user, and stores that in @p store.
void offerTour(QMainWindow& window, Models& models, QSettings& store);

} // namespace pollard::app

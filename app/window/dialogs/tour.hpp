#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QMainWindow;
class QPushButton;
class QSettings;
class QWidget;

namespace pollard::app {

struct Models;

/// A step of the tour: a control, its purpose, and the action to take.
struct TourStep {
    QString title;
    QString text;
    const char* workspace = nullptr;    ///< shown when the step begins; null for the present one
    std::function<QWidget*()> part;     ///< the control; may be null or hidden
    std::function<void()> act{};        ///< takes the action instead of the user; empty if there is none
    std::function<bool()> isPossible{}; ///< whether act() can be called now
    std::function<bool()> isDone{};     ///< by the user or by act()
    bool waits = false;                 ///< ends only when the action is done, automatically
    std::function<void()> leave{};      ///< called when the step ends; may be empty
};

/// The steps of the tour: remove small components from the open image, show the removed part, count the objects. If no
/// image is open, the first step opens one.
/// @param window,models must outlive the steps
[[nodiscard]] std::vector<TourStep> tourSteps(QMainWindow& window, Models& models);

/// Leads new users from control to control: a frame around the control and a note next to it. Each step can be done
/// with the control or by a button of the note. The window stays usable. Escape or the last button ends the tour, which
/// then deletes itself; its changes stay and can be undone.
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
    /// Handles a key that was pressed in any control of the window. @return whether the tour has used the key
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

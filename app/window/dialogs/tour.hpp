#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <vector>

class QLabel;
class QMainWindow;
class QPushButton;
class QSettings;

namespace pollard::app {

/// A tour of the window for new users: a note beside one part after the other, which gets a frame. The window stays
/// usable. Escape or the last button ends the tour, which then deletes itself.
class Tour : public QFrame {
    Q_OBJECT

public:
    explicit Tour(QMainWindow& window);
    ~Tour() override;
    Tour(const Tour&) = delete;
    Tour& operator=(const Tour&) = delete;

    [[nodiscard]] int step() const noexcept { return step_; } ///< from 0
    [[nodiscard]] int stepCount() const noexcept { return static_cast<int>(stops_.size()); }
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
    struct Stop {
        QPointer<QWidget> part;
        QString title;
        QString text;
    };
    void goTo(int step);
    void place();

    QMainWindow& window_;
    QPointer<QWidget> frame_; ///< around the part; null when the window is destroyed
    QLabel* title_;
    QLabel* text_;
    QLabel* count_;
    QPushButton* back_;
    QPushButton* next_;
    std::vector<Stop> stops_;
    int step_ = 0;
};

/// Starts a tour, replacing a running one.
void startTour(QMainWindow& window);

/// Starts the tour at the first start of a user, and stores that in @p store.
void offerTour(QMainWindow& window, QSettings& store);

} // namespace pollard::app

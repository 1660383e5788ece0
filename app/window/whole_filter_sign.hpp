#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QMainWindow;
class QProgressBar;
class QToolButton;

namespace pollard::vm {
class WholeFilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A part of the status bar about a filter of a whole picture: progress and Cancel, at the end the result with Open.
class WholeFilterSign : public QWidget {
    Q_OBJECT

public:
    /// @param whole must outlive this
    WholeFilterSign(QMainWindow& window, vm::WholeFilterViewModel& whole);

signals:
    void openWanted(const QString& path);

private:
    void showState();

    vm::WholeFilterViewModel& whole_;
    QLabel* text_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QToolButton* open_;
    QToolButton* close_;
};

} // namespace pollard::app

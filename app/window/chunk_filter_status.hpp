#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QMainWindow;
class QProgressBar;
class QToolButton;

namespace pollard::vm {
class ChunkFilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A part of the status bar about a filter of a whole image: progress and Cancel, at the end the result with Open.
class ChunkFilterStatus : public QWidget {
    Q_OBJECT

public:
    /// @param whole must outlive this
    ChunkFilterStatus(QMainWindow& window, vm::ChunkFilterViewModel& whole);

signals:
    void openWanted(const QString& path);
    void cancelWanted();

private:
    void showState();

    vm::ChunkFilterViewModel& whole_;
    QLabel* text_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QToolButton* open_;
    QToolButton* close_;
};

} // namespace pollard::app

#pragma once

#include "shell/models.hpp"
#include "shell/notices.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

namespace pollard::app {

class MainWindow;

/// Whether tree, filtered image and canvas correspond to the settings, and no job runs. The window must have a
/// canvas.
[[nodiscard]] bool isSettled(const Models& models, const MainWindow& window);

/// Calls @p look from the event loop whenever isSettled() may have become true. The window must have a canvas.
/// @param context ends the calls; must not outlive @p models and @p window
void watchSettling(const Models& models, const MainWindow& window, QObject* context, const std::function<void()>& look);

/// Saves an image of the window when it is complete: tree, filtered image and canvas.
class Screenshot : public QObject {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    Screenshot(Models& models, MainWindow& window, QString path, QObject* parent = nullptr);

signals:
    /// Emitted once at the end. @p error is empty if the file was written, else one line.
    void finished(const QString& error);

private:
    void checkAgain();
    void save();

    Models& models_;
    MainWindow& window_;
    QString path_;
    QTimer settle_;
};

/// Prints errors as one line on stderr and ends the program with exit code 1.
class StderrPresenter : public ErrorPresenter {
public:
    void present(QWidget* parent, const QString& title, const QString& text) override;
};

/// Prints "pollard: error: <text>" on stderr, in one line.
void printError(const QString& text);

} // namespace pollard::app

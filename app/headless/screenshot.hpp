#pragma once

#include "shell/error_presenter.hpp"
#include "shell/models.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

namespace pollard::app {

class MainWindow;

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
    void lookAgain();
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

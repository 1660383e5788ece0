#pragma once

#include <QMessageBox>
#include <QString>

class QAbstractButton;
class QMainWindow;
class QPushButton;
class QWidget;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Asks whether to keep, save or discard modified work before leaving it. All must outlive the window.
void addLeaveQuestion(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Handles the end of the desktop session: asks if @p mayAsk, else keeps the work; stops a batch. Blocks until done.
/// @return whether the program may end
[[nodiscard]] bool leaveAtLogout(QMainWindow& window, Models& models, bool mayAsk);

/// Asks whether to stop running work. The default button continues the work, also if the work ends and closes the box.
struct StopQuestion {
    QMessageBox box;
    bool wasAsked; ///< a box with the same name is open

    StopQuestion(QWidget& window, const QString& name);
    [[nodiscard]] bool isAskedAlready() const noexcept { return wasAsked; }
    QPushButton* add(const QString& text, QMessageBox::ButtonRole role, const QString& name, const QString& does);
    void addDefault(const QString& text, const QString& name, const QString& does);
    /// The chosen button; null if the work has ended.
    [[nodiscard]] const QAbstractButton* answer();
};

} // namespace pollard::app

#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Asks whether to keep, save or discard modified work before leaving it. All must outlive the window.
void addLeaveQuestion(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Handles the end of the desktop session: asks if @p mayAsk, else keeps the work; stops a batch. Blocks until done.
/// @return whether the program may end
[[nodiscard]] bool leaveAtLogout(QMainWindow& window, Models& models, bool mayAsk);

} // namespace pollard::app

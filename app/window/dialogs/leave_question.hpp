#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Asks whether to keep, save or discard modified work before it is left. Everything must outlive the window.
void addLeaveQuestion(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// The desktop session ends: asks if that is allowed, else keeps the work. Returns when that is done.
/// @return whether the program may end
[[nodiscard]] bool leaveAtLogout(QMainWindow& window, Models& models, bool mayAsk);

} // namespace pollard::app

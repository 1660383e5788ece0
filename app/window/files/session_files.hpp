#pragma once

#include <QString>

class QMainWindow;

namespace pollard::vm {
class SessionAutosave;
} // namespace pollard::vm

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds opening and saving of sessions to the File menu. Everything must outlive the window.
void addSessionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Asks where to save the session; empty if the person decided otherwise.
[[nodiscard]] QString askWhereToSaveSession(QMainWindow& window, Models& models);

/// Asks about the session that a crash left behind, as soon as it is known; if it is deleted, about the next one. One
/// that cannot be read is told of first. Where nothing is left to ask about, the log of the last crash is offered once.
/// @param autosave must outlive the window
void offerRecovery(QMainWindow& window, vm::SessionAutosave& autosave);

} // namespace pollard::app

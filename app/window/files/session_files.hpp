#pragma once

#include <QString>

class QMainWindow;

namespace pollard::vm {
class SessionAutosave;
} // namespace pollard::vm

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds opening and saving of sessions to the File menu. All must outlive the window.
void addSessionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Asks for the file of a session; empty if cancelled.
[[nodiscard]] QString askWhereToSaveSession(QMainWindow& window, Models& models);

/// Asks about the autosaved session of a crash when it is found; if it is deleted, about the next one. Unreadable
/// sessions are reported first. Without sessions, the log of the last crash is offered once.
/// @param autosave must outlive the window
void offerRecovery(QMainWindow& window, vm::SessionAutosave& autosave);

} // namespace pollard::app

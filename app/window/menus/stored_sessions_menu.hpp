#pragma once

class QMainWindow;

namespace pollard::vm {
class StoredSessions;
} // namespace pollard::vm

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Stores work when the user leaves it, and lists stored work in the File menu and on the welcome page. All must
/// outlive the window.
void addStoredSessions(QMainWindow& window, Models& models, vm::StoredSessions& sessions, ErrorPresenter& errors);

} // namespace pollard::app

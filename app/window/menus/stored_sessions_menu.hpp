#pragma once

class QMainWindow;

namespace pollard::vm {
class StoredSessions;
} // namespace pollard::vm

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Starts keeping work that is left, and lists it in the File menu and on the welcome page. All must outlive the
/// window.
void addStoredSessions(QMainWindow& window, Models& models, vm::StoredSessions& kept, ErrorPresenter& errors);

} // namespace pollard::app

#pragma once

class QMainWindow;

namespace pollard::vm {
class KeptWork;
} // namespace pollard::vm

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Keeps work that is left from now on, and offers to go on with it: in the File menu and on the welcome page.
/// Everything must outlive the window.
void addKeptWork(QMainWindow& window, Models& models, vm::KeptWork& kept, ErrorPresenter& errors);

} // namespace pollard::app

#pragma once

class QMainWindow;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the menu with grid lab, lectures and races. All must outlive the window.
void addTeachMenu(QMainWindow& window, Models& models, const EngineRegistry& registry, ErrorPresenter& errors);

} // namespace pollard::app

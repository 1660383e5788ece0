#pragma once

class QMainWindow;
class QString;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

class Actions;
struct Models;

/// Adds the Help menu at the end: command palette, documentation, What's This, shortcuts, about.
/// @param models,registry must outlive the window
void addHelpMenu(QMainWindow& window, Actions& actions, Models& models, const EngineRegistry& registry);

/// Opens an included sample by its file name, after the question about the present work.
void openSample(QMainWindow& window, Models& models, const QString& file);

/// Shows a page of the documentation. @param place "page" or "page#heading"
void showHelp(QMainWindow& window, Models& models, const QString& place);

} // namespace pollard::app

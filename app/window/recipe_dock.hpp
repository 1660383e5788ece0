#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the recipe panel. All must outlive the window.
void addRecipeDock(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Adds loading, saving and copying of the recipe to the Presets menu.
void addRecipeActions(QMainWindow& window);

} // namespace pollard::app

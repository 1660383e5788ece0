#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the panel of the recipe. Everything must outlive the window.
void addRecipeDock(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Adds loading, saving and copying of the recipe to the presets' menu.
void addRecipeActions(QMainWindow& window);

} // namespace pollard::app

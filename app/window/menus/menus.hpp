#pragma once

#include "engine/engine_registry.hpp"
#include "shell/models.hpp"

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

class QMainWindow;
class QString;

namespace pollard::app {

class Actions;
class ErrorPresenter;
class Workspaces;

/// Fills the menu bar of @p window; call after adding the docks.
void buildMenus(QMainWindow& window, Actions& actions, const Workspaces& workspaces, Models& models);

/// The menu of the window with the action of this object name; null if none has it.
[[nodiscard]] QMenu* menuWith(const QMainWindow& window, const QString& action);

/// Tool bar with the main actions, and the current engine at the right end.
class MainToolBar : public QToolBar {
    Q_OBJECT

public:
    MainToolBar(Actions& actions, Models& models, const EngineRegistry& registry, QWidget* parent = nullptr);

private:
    void addEngineBadge();
    void showEngine();
    void fillEngineMenu();

    Models& models_;
    const EngineRegistry& registry_;
    QToolButton* badge_ = nullptr;
    QMenu* engines_ = nullptr;
};

/// Adds the menu "Teach" with grid lab, lectures and races. All must outlive the window.
void addTeachMenu(QMainWindow& window, Models& models, const EngineRegistry& registry, ErrorPresenter& errors);

} // namespace pollard::app

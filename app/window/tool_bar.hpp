#pragma once

#include "engine/engine_registry.hpp"
#include "shell/models.hpp"

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace pollard::app {

class Actions;

/// The main actions, with the current engine at the right end.
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

} // namespace pollard::app

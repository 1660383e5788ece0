#include "window/recipe_dock.hpp"

#include "docks/recipe_panel.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"
#include "vm/session/recipe_files.hpp"
#include "vm/session/recipe_view_model.hpp"
#include "vm/session/result_steps.hpp"
#include "window/panel_dock.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QStatusBar>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString text(const char* source) { return QCoreApplication::translate("RecipeDock", source); }

void load(QMainWindow& window, Models& models, vm::RecipeFiles& files) {
    const QString path =
        QFileDialog::getOpenFileName(&window, text("Load a recipe"), models.settings.lastDirectory(),
                                     text("Recipe (*.json)") + QStringLiteral(";;") + text("All files (*)"));
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
        files.load(path);
    }
}

void save(QMainWindow& window, Models& models, vm::RecipeFiles& files) {
    const QString path = askWhereToSave(
        window, models,
        {text("Save the recipe"), text("Recipe (*.json)"), QStringLiteral("_recipe"), QStringLiteral("json")});
    if (!path.isEmpty()) {
        files.save(path);
    }
}

} // namespace

void addRecipeDock(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* recipe = new vm::RecipeViewModel({models.document, models.filter, models.region, models.history}, &window);
    auto* results = new vm::ResultSteps(
        {models.document, models.region, models.objects, models.objectTable, models.contours, models.history}, recipe);
    recipe->addResults(*results);
    auto* files = new vm::RecipeFiles(*recipe, recipe);
    auto* panel = new RecipePanel(*recipe);
    auto* scroll = new QScrollArea;
    scroll->setWidget(panel);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    QDockWidget* dock =
        addPanelDock(window, QStringLiteral("recipeDock"), text("Recipe"), scroll, Qt::RightDockWidgetArea);
    window.tabifyDockWidget(window.findChild<QDockWidget*>(QStringLiteral("selectionDock")), dock);
    QObject::connect(panel, &RecipePanel::loadRequested, &window,
                     [&window, &models, files] { load(window, models, *files); });
    QObject::connect(panel, &RecipePanel::saveRequested, &window,
                     [&window, &models, files] { save(window, models, *files); });
    QObject::connect(files, &vm::RecipeFiles::saved, &window, [&window](const QString& path) {
        window.statusBar()->showMessage(text("Saved %1").arg(QFileInfo(path).fileName()), kNoticeTime);
    });
    QObject::connect(
        files, &vm::RecipeFiles::failed, &window,
        [&window, &errors](const QString& title, const QString& why) { errors.present(&window, title, why); });
    const auto showDock = [&window](const char* name) {
        if (auto* wanted = window.findChild<QDockWidget*>(QLatin1String(name))) {
            wanted->show();
            wanted->raise();
        }
    };
    QObject::connect(results, &vm::ResultSteps::objectsWanted, &window, [showDock] { showDock("objectsDock"); });
    QObject::connect(results, &vm::ResultSteps::contoursWanted, &window, [showDock] { showDock("contourDock"); });
    QObject::connect(panel, &RecipePanel::copyRequested, &window, [&window, recipe] {
        QGuiApplication::clipboard()->setText(recipe->commandLine());
        window.statusBar()->showMessage(text("The command is on the clipboard"), kNoticeTime);
    });
}

void addRecipeActions(QMainWindow& window) {
    auto* menu = window.findChild<QMenu*>(QStringLiteral("presetsMenu"));
    auto* panel = window.findChild<RecipePanel*>();
    const auto* recipe = window.findChild<vm::RecipeViewModel*>();
    const auto add = [&](const ActionText& what, void (RecipePanel::*request)()) {
        QAction* action = makeAction(what, &window);
        menu->addAction(action);
        QObject::connect(action, &QAction::triggered, panel, request);
        return action;
    };
    menu->addSeparator();
    add({QStringLiteral("loadRecipe"),
         text("&Load a recipe…"),
         text("Do with this picture what a recipe says"),
         {},
         {}},
        &RecipePanel::loadRequested);
    QAction* save = add({QStringLiteral("saveRecipe"),
                         text("Save as a &recipe…"),
                         text("Save what is done with the picture as a recipe for others (JSON)"),
                         {},
                         {}},
                        &RecipePanel::saveRequested);
    QAction* copy = add({QStringLiteral("copyCommandLine"),
                         text("&Copy as command line"),
                         text("Copy the command that makes the same of this file without a window"),
                         {},
                         {}},
                        &RecipePanel::copyRequested);
    const auto enable = [save, copy, recipe] {
        save->setEnabled(recipe->isAvailable());
        copy->setEnabled(recipe->isAvailable());
    };
    QObject::connect(recipe, &vm::RecipeViewModel::changed, save, enable);
    enable();
}

} // namespace pollard::app

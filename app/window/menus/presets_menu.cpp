#include "window/menus/presets_menu.hpp"

#include "docks/recipe_panel.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/recipe/preset_view_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace pollard::app {
namespace {

QString presetsMenuText(const char* source) { return QCoreApplication::translate("PresetsMenu", source); }

QAction* entryOf(QMenu& menu, const vm::PresetViewModel& presets, int preset, const QString& prefix) {
    QAction* action = menu.addAction(presets.title(preset));
    action->setObjectName(prefix + presets.name(preset));
    action->setToolTip(presets.description(preset));
    action->setStatusTip(presets.description(preset));
    return action;
}

/// Loading, saving and copying of the recipe.
void addRecipeActions(QMainWindow& window, QMenu* menu) {
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
         presetsMenuText("&Load a recipe…"),
         presetsMenuText("Apply a recipe to this picture"),
         {},
         {}},
        &RecipePanel::loadRequested);
    QAction* save = add({QStringLiteral("saveRecipe"),
                         presetsMenuText("Save as a &recipe…"),
                         presetsMenuText("Save the steps as a recipe for other pictures (JSON)"),
                         {},
                         {}},
                        &RecipePanel::saveRequested);
    QAction* copy = add({QStringLiteral("copyCommandLine"),
                         presetsMenuText("&Copy as command line"),
                         presetsMenuText("Copy the command that produces the same result without a window"),
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

} // namespace

void addPresetsMenu(QMainWindow& window, Models& models) {
    vm::DocumentViewModel& document = models.document;
    vm::PresetViewModel& presets =
        *new vm::PresetViewModel(document, models.filter, QStringLiteral(":/pollard/samples"), &window);
    QMenu* menu = window.menuBar()->addMenu(presetsMenuText("&Presets"));
    menu->setObjectName(QStringLiteral("presetsMenu"));
    menu->setToolTipsVisible(true);
    QList<QAction*> forImage;
    for (int preset = 0; preset < presets.count(); ++preset) {
        QAction* action = entryOf(*menu, presets, preset, QStringLiteral("preset-"));
        QObject::connect(action, &QAction::triggered, &presets, [&presets, &models, preset] {
            const vm::EditHistory::Group group(models.history, presetsMenuText("preset %1").arg(presets.title(preset)));
            presets.apply(preset);
        });
        forImage << action;
    }
    menu->addSeparator();
    QMenu* samples = menu->addMenu(presetsMenuText("Open the &sample of"));
    samples->setToolTipsVisible(true);
    for (int preset = 0; preset < presets.count(); ++preset) {
        QAction* action = entryOf(*samples, presets, preset, QStringLiteral("sample-"));
        QObject::connect(action, &QAction::triggered, &presets, [&presets, &models, preset] {
            models.leave.leave(&presets, [&presets, &models, preset] {
                const vm::EditHistory::Group group(models.history,
                                                   presetsMenuText("preset %1").arg(presets.title(preset)));
                presets.openSample(preset);
            });
        });
    }
    const auto enable = [forImage, &document] {
        for (QAction* action : forImage) {
            action->setEnabled(document.hasImage());
        }
    };
    QObject::connect(&document, &vm::DocumentViewModel::hasImageChanged, menu, enable);
    enable();
    QObject::connect(&presets, &vm::PresetViewModel::applied, &window, [&window, &presets](int preset) {
        showNotice(window, QStringLiteral("%1: %2").arg(presets.title(preset), presets.description(preset)));
    });
    addRecipeActions(window, menu);
}

} // namespace pollard::app

#include "window/menus/menus.hpp"

#include "docks/display_panel.hpp"
#include "docks/recipe_panel.hpp"
#include "engine/engine_registry.hpp"
#include "lab/exercise_dialog.hpp"
#include "lab/lab_window.hpp"
#include "lab/race_dialog.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/image/open_request.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/workspaces.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcutEvent>

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

/// Adds actions that load, save and copy the recipe.
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
         presetsMenuText("Apply a recipe to this image"),
         {},
         {}},
        &RecipePanel::loadRequested);
    QAction* save = add({QStringLiteral("saveRecipe"),
                         presetsMenuText("Save as a &recipe…"),
                         presetsMenuText("Save the steps as a recipe for other images (JSON)"),
                         {},
                         {}},
                        &RecipePanel::saveRequested);
    QAction* copy = add({QStringLiteral("copyCommandLine"),
                         presetsMenuText("&Copy as command line"),
                         presetsMenuText("Copy the command that produces the same result without a window"),
                         {},
                         {}},
                        &RecipePanel::copyCommandLineRequested);
    QAction* python = add({QStringLiteral("copyPython"),
                           presetsMenuText("Copy as P&ython"),
                           presetsMenuText("Copy a Python script that produces the same result without a window"),
                           {},
                           {}},
                          &RecipePanel::copyPythonRequested);
    const auto enable = [save, copy, python, recipe] {
        for (QAction* action : {save, copy, python}) {
            action->setEnabled(recipe->isAvailable());
        }
    };
    QObject::connect(recipe, &vm::RecipeViewModel::changed, save, enable);
    enable();
}

/// Adds the menu "Presets": entries that apply a preset to the open image, a submenu that opens their samples, and
/// loading, saving and copying of the recipe, whose panel must exist. The window owns the PresetViewModel.
/// @param models must outlive the window
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

QString menusText(const char* source) { return QCoreApplication::translate("Menus", source); }

/// Decides which control a letter activates if several have the same mnemonic; Qt alone would only move the focus
/// between them. The menu comes first, then the tour, then the panel with the focus.
class MenuLetters : public QObject {
public:
    explicit MenuLetters(QMenuBar& bar) : QObject(&bar), bar_(bar) {
        QCoreApplication::instance()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Shortcut || !static_cast<QShortcutEvent*>(event)->isAmbiguous() ||
            !watched->isWidgetType() || !bar_.window()->isAncestorOf(static_cast<QWidget*>(watched))) {
            return false;
        }
        const QKeySequence letter = static_cast<QShortcutEvent*>(event)->key();
        for (QAction* menu : bar_.actions()) {
            if (QKeySequence::mnemonic(menu->text()) == letter) {
                bar_.setActiveAction(menu);
                return true;
            }
        }
        QList<QWidget*> best;
        for (QWidget* each : bar_.window()->findChildren<QWidget*>()) {
            if (each->isVisible() && each->isEnabled() && mnemonicOf(*each) == letter) {
                if (!best.isEmpty() && rankOf(*each) > rankOf(*best.front())) {
                    best.clear();
                }
                if (best.isEmpty() || rankOf(*each) == rankOf(*best.front())) {
                    best << each;
                }
            }
        }
        if (best.size() != 1) {
            return false; // Qt goes from one to the next
        }
        press(*best.front());
        return true;
    }

private:
    static QKeySequence mnemonicOf(const QWidget& widget) {
        const auto* label = qobject_cast<const QLabel*>(&widget);
        const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        return label != nullptr && label->buddy() != nullptr ? QKeySequence::mnemonic(label->text())
               : button != nullptr                           ? button->shortcut()
                                                             : QKeySequence();
    }
    static int rankOf(const QWidget& widget) {
        const QWidget* focused = QApplication::focusWidget();
        for (const QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
            if (around->objectName() == QLatin1String("tour")) {
                return 2;
            }
            if (qobject_cast<const QDockWidget*>(around) != nullptr) {
                return focused != nullptr && around->isAncestorOf(focused) ? 1 : 0;
            }
        }
        return 0;
    }
    static void press(QWidget& widget) {
        if (auto* button = qobject_cast<QAbstractButton*>(&widget)) {
            button->setFocus(Qt::ShortcutFocusReason);
            button->click();
        } else {
            static_cast<QLabel&>(widget).buddy()->setFocus(Qt::ShortcutFocusReason);
        }
    }

    QMenuBar& bar_;
};

void fillRecent(QMenu& menu, Models& models) {
    menu.clear();
    int number = 1;
    for (const QString& path : models.recentFiles.paths()) {
        QAction* action = menu.addAction(
            QStringLiteral("&%1  %2").arg(number++).arg(vm::imageName(path).replace(u'&', QLatin1String("&&"))));
        action->setObjectName(QString(kRecentFile));
        action->setToolTip(path);
        QObject::connect(action, &QAction::triggered, &models.document, [&models, path] { models.openFile(path); });
    }
    menu.addSeparator();
    QObject::connect(menu.addAction(menusText("&Clear list")), &QAction::triggered, &models.recentFiles,
                     &vm::RecentFilesModel::clear);
}

void addFileMenu(QMenuBar& bar, Actions& actions, Models& models) {
    QMenu* file = bar.addMenu(menusText("&File"));
    file->addActions({actions.open, actions.openFolder});
    QMenu* recent = file->addMenu(menusText("Open &recent"));
    recent->setToolTipsVisible(true);
    const auto refresh = [recent, &models] {
        fillRecent(*recent, models);
        recent->menuAction()->setEnabled(!models.recentFiles.isEmpty());
    };
    QObject::connect(&models.recentFiles, &vm::RecentFilesModel::changed, recent, refresh);
    refresh();
    file->addActions({actions.openRaw, actions.chooseSize, actions.backToOverview});
    file->addActions({actions.save, actions.filterVisible, actions.filterWhole, actions.saveAllPages});
    file->addActions({actions.canvas->exportView, actions.canvas->copyView});
    file->addSeparator();
    file->addAction(actions.preferences);
    file->addSeparator();
    file->addAction(actions.close);
    file->addAction(actions.quit);
}

void addViewMenu(QMenuBar& bar, QMainWindow& window, Actions& actions, const Workspaces& workspaces, Models& models) {
    QMenu* view = bar.addMenu(menusText("&View"));
    view->addActions({actions.fit, actions.actualSize, actions.zoomIn, actions.zoomOut, actions.smooth});
    view->addSeparator();
    view->addActions({actions.split, actions.blink, actions.flip, actions.difference, actions.showOriginal});
    view->addSeparator();
    view->addActions({actions.autoWindow, actions.fullWindow});
    view->addMenu(new NamedWindowsMenu(models.document, models.display, view));
    view->addMenu(menusText("&Tone curve"))->addActions(actions.toneCurves->actions());
    QMenu* colours = view->addMenu(menusText("&Colours"));
    colours->addActions(actions.colourMaps->actions());
    colours->addSeparator();
    colours->addAction(actions.inverted);
    view->addActions({actions.marks, actions.sameForAll});
    view->addSeparator();
    QMenu* spaces = view->addMenu(menusText("&Workspace"));
    spaces->addActions(workspaces.actions().actions());
    spaces->addSeparator();
    spaces->addAction(&workspaces.resetAction());
    QMenu* panels = view->addMenu(menusText("&Panels"));
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        panels->addAction(dock->toggleViewAction());
    }
    panels->addSeparator();
    panels->addActions({actions.nextPart, actions.previousPart});
    QMenu* overlays = view->addMenu(menusText("O&verlays"));
    overlays->addActions(actions.canvas->overlays->actions());
    overlays->addSeparator();
    overlays->addAction(actions.canvas->rulersInPixels);
    view->addMenu(menusText("T&heme"))->addActions(actions.themes->actions());
    view->addAction(actions.fullScreen);
}

void addImageMenu(QMenuBar& bar, Actions& actions) {
    QMenu* image = bar.addMenu(menusText("&Image"));
    image->addActions({actions.maxTree, actions.minTree});
    image->addSeparator();
    image->addActions({actions.four, actions.eight, actions.six, actions.eighteen, actions.twentySix});
    image->addSeparator();
    image->addMenu(menusText("Slices"))->addActions(actions.depths->actions());
    image->addSeparator();
    image->addActions({actions.live, actions.apply, actions.reset, actions.canvas->pickComponent});
    image->addActions(actions.earlier->all());
    image->addSeparator();
    image->addActions({actions.previousPage, actions.nextPage, actions.firstPage, actions.lastPage});
    image->addActions(actions.axisSteps);
    image->addSeparator();
    image->addAction(actions.canvas->measureScale);
}

void addRegionMenu(QMenuBar& bar, const CanvasActions& actions) {
    QMenu* region = bar.addMenu(menusText("&Region"));
    region->addActions(actions.tools->actions());
    region->addSeparator();
    region->addActions({actions.selectAll, actions.selectNext, actions.removeShape, actions.clearShapes});
    region->addAction(actions.invert);
    region->addSeparator();
    region->addActions({actions.loadRegion, actions.saveRegion});
    region->addSeparator();
    region->addActions({actions.crop, actions.uncrop});
}

} // namespace

void buildMenus(QMainWindow& window, Actions& actions, const Workspaces& workspaces, Models& models) {
    QMenuBar& bar = *window.menuBar();
    new MenuLetters(bar);
    addFileMenu(bar, actions, models);
    bar.addMenu(menusText("&Edit"))->addActions(actions.edit->all());
    addViewMenu(bar, window, actions, workspaces, models);
    addImageMenu(bar, actions);
    addRegionMenu(bar, *actions.canvas);
    addPresetsMenu(window, models);
}

QMenu* menuWith(const QMainWindow& window, const QString& action) {
    auto* const entry = window.findChild<QAction*>(action);
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (entry != nullptr && menu->actions().contains(entry)) {
            return menu;
        }
    }
    return nullptr;
}

MainToolBar::MainToolBar(Actions& actions, Models& models, const EngineRegistry& registry, QWidget* parent)
    : QToolBar(tr("Tools"), parent), models_(models), registry_(registry) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setIconSize(QSize(20, 20));
    setContextMenuPolicy(Qt::PreventContextMenu);
    const auto withText = [this](QAction* action, const QString& text) {
        auto* button = qobject_cast<QToolButton*>(widgetForAction(action));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setText(text);
        action->setIconText(text);
    };
    addAction(actions.open);
    withText(actions.open, tr("Open"));
    addAction(actions.save);
    withText(actions.save, tr("Save"));
    addSeparator();
    addAction(actions.maxTree);
    withText(actions.maxTree, tr("Max"));
    addAction(actions.minTree);
    withText(actions.minTree, tr("Min"));
    addSeparator();
    addAction(actions.four);
    addAction(actions.eight);
    addAction(actions.six);
    addAction(actions.eighteen);
    addAction(actions.twentySix);
    addSeparator();
    addAction(actions.split);
    addAction(actions.blink);
    addAction(actions.difference);
    addAction(actions.showOriginal);
    addAction(actions.fit);
    addAction(actions.actualSize);
    addAction(actions.zoomOut);
    addAction(actions.zoomIn);
    addSeparator();
    addActions(actions.canvas->tools->actions());
    addAction(actions.canvas->pickComponent);
    addSeparator();
    addAction(actions.live);
    withText(actions.live, tr("Live"));
    addAction(actions.apply);
    withText(actions.apply, tr("Apply"));
    for (QAction* action : this->actions()) {
        if (QWidget* button = widgetForAction(action)) {
            button->setAccessibleName(action->text().remove(QLatin1Char('&')));
            button->setFocusPolicy(Qt::TabFocus);
        }
    }
    addEngineBadge();
}

void MainToolBar::addEngineBadge() {
    auto* spacer = new QWidget(this);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    badge_ = new QToolButton(this);
    badge_->setObjectName(QStringLiteral("engineBadge"));
    badge_->setPopupMode(QToolButton::InstantPopup);
    badge_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    badge_->setFocusPolicy(Qt::TabFocus);
    engines_ = new QMenu(badge_);
    badge_->setMenu(engines_);
    addWidget(badge_);
    connect(engines_, &QMenu::aboutToShow, this, &MainToolBar::fillEngineMenu);
    fillEngineMenu();
    follow(this, &MainToolBar::showEngine, models_.document.choices(), &vm::DocumentChoices::engineChanged);
}

void MainToolBar::showEngine() {
    const QString wanted = models_.document.choices().requestedEngine();
    const QString name = models_.document.choices().engineName();
    if (name.isEmpty()) {
        badge_->setText(wanted == QLatin1String("auto") ? tr("Engine: automatic") : wanted.toUpper());
    } else {
        badge_->setText(name.toUpper());
    }
    const QString device = models_.document.choices().engineDevice();
    explain(badge_, tr("Engine"),
            device.isEmpty() ? tr("Engine of all computations") : tr("Engine at work: %1 (%2)").arg(name, device));
}

void MainToolBar::fillEngineMenu() {
    engines_->clear();
    const auto add = [this](const QString& name, const QString& title, const QString& reason) {
        QAction* action = engines_->addAction(reason.isEmpty() ? title : QStringLiteral("%1 – %2").arg(title, reason));
        action->setCheckable(true);
        action->setChecked(models_.document.choices().requestedEngine() == name);
        action->setEnabled(reason.isEmpty());
        connect(action, &QAction::triggered, this, [this, name] {
            models_.settings.setEngine(name);
            models_.document.choices().setEngine(name);
        });
    };
    add(QStringLiteral("auto"), tr("Automatic"), {});
    for (const Engine* engine : registry_.engines()) {
        const QString name = QString::fromStdString(engine->name());
        const QString reason = QString::fromStdString(engine->unusableReason());
        add(name,
            reason.isEmpty() ? QStringLiteral("%1 (%2)").arg(name.toUpper(), QString::fromStdString(engine->device()))
                             : name.toUpper(),
            reason);
    }
}

namespace {

QString teachMenuText(const char* source) { return QCoreApplication::translate("TeachMenu", source); }

LabWindow& showLab(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* lab = window.findChild<LabWindow*>();
    if (lab == nullptr) {
        lab = new LabWindow(models, errors, &window);
    }
    lab->show();
    lab->raise();
    lab->activateWindow();
    return *lab;
}

} // namespace

void addTeachMenu(QMainWindow& window, Models& models, const EngineRegistry& registry, ErrorPresenter& errors) {
    QMenu* menu = window.menuBar()->addMenu(teachMenuText("&Teach"));
    menu->setToolTipsVisible(true);
    QAction* open = makeAction({QStringLiteral("gridLab"),
                                teachMenuText("&Grid lab"),
                                teachMenuText("Watch algorithms at work on an image of a few pixels"),
                                {},
                                {QKeySequence(Qt::CTRL | Qt::Key_G)}},
                               &window);
    QAction* crop =
        makeAction({QStringLiteral("labTakeCrop"),
                    teachMenuText("Grid lab with these &pixels"),
                    teachMenuText("Take the pixels around the pointer, else in the middle of the view, to the lab"),
                    {},
                    {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)}},
                   &window);
    QAction* lecture = makeAction({QStringLiteral("teachLecture"),
                                   teachMenuText("&Demonstration"),
                                   teachMenuText("The grid lab on the full screen, with prepared scenes"),
                                   {},
                                   {}},
                                  &window);
    QAction* race = makeAction({QStringLiteral("teachRace"),
                                teachMenuText("&Race of the algorithms…"),
                                teachMenuText("Time that each algorithm takes for the tree of the open image"),
                                {},
                                {}},
                               &window);
    menu->addActions({open, crop});
    menu->addSeparator();
    QAction* exercises = makeAction({QStringLiteral("teachExercises"),
                                     teachMenuText("Print &exercises…"),
                                     teachMenuText("Exercises on paper, with answers or without"),
                                     {},
                                     {}},
                                    &window);
    menu->addActions({lecture, race, exercises});
    QObject::connect(exercises, &QAction::triggered, &window,
                     [&window, &models, &errors] { (new ExerciseDialog(models, errors, &window))->show(); });
    QObject::connect(lecture, &QAction::triggered, &window,
                     [&window, &models, &errors] { showLab(window, models, errors).demonstration().setActive(true); });
    QObject::connect(race, &QAction::triggered, &window, [&window, &models, &registry] {
        (new RaceDialog(registry.engines(), models.document, &window))->show();
    });
    QObject::connect(open, &QAction::triggered, &window,
                     [&window, &models, &errors] { showLab(window, models, errors); });
    QObject::connect(crop, &QAction::triggered, &window, [&window, &models, &errors] {
        LabWindow* there = window.findChild<LabWindow*>();
        LabWindow& lab = there != nullptr ? *there : *new LabWindow(models, errors, &window);
        lab.takeCrop(); // before the pointer moves to the lab
        showLab(window, models, errors);
    });
    const auto enable = [crop, &models] { crop->setEnabled(models.document.hasImage()); };
    QObject::connect(&models.document, &vm::DocumentViewModel::hasImageChanged, crop, enable);
    enable();
}

} // namespace pollard::app

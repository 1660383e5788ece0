#include "window/menus/teach_menu.hpp"

#include "lab/exercise_dialog.hpp"
#include "lab/lab_window.hpp"
#include "lab/race_dialog.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"

#include "engine/engine_registry.hpp"

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace pollard::app {
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
                                teachMenuText("Watch algorithms at work on a picture of a few pixels"),
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

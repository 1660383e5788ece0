#include "window/menus/help_menu.hpp"

#include "shell/help_browser.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"
#include "vm/recipe/preset_view_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/dialogs/help_dialogs.hpp"
#include "window/dialogs/panel_controls.hpp"
#include "window/dialogs/tour.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"
#include "window/workspaces.hpp"

#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QWhatsThis>

namespace pollard::app {
namespace {

QString helpText(const char* source) { return QCoreApplication::translate("Help", source); }

/// Name of the dock that contains a widget; empty if there is none.
QString dockNameOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(widget) != nullptr) {
            return widget->objectName();
        }
    }
    return {};
}

HelpBrowser& shownBrowser(QMainWindow& window, Models& models) {
    auto* browser = window.findChild<HelpBrowser*>();
    if (browser == nullptr) {
        browser = new HelpBrowser(&window);
        QObject::connect(browser, &HelpBrowser::sampleChosen, &window,
                         [&window, &models](const QString& file) { openSample(window, models, file); });
    }
    browser->show();
    browser->raise();
    browser->activateWindow();
    return *browser;
}

/// Focuses the panel in front at the right, where the task of a workspace is.
void focusTask(const QMainWindow& window) {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (window.dockWidgetArea(dock) == Qt::RightDockWidgetArea && isSeen(*dock)) {
            bringForward(*dock);
            return;
        }
    }
}

void showCommands(QMainWindow& window, Models& models) {
    auto* palette = new CommandPalette(actionsOfMenus(*window.menuBar()), &window, controlsOfPanels(window));
    auto* workspaces = window.findChild<Workspaces*>();
    QObject::connect(palette, &CommandPalette::chosen, workspaces, [workspaces, &window](QAction* action) {
        if (workspaces->actions().actions().contains(action)) {
            QTimer::singleShot(0, workspaces, [&window] { focusTask(window); }); // after the command
        }
    });
    QObject::connect(palette, &CommandPalette::helpRequested, &window,
                     [&window, &models](const QString& query) { shownBrowser(window, models).search(query); });
    palette->open();
}

QAction* makeWhatsThis(QMainWindow& window) {
    QAction* action = QWhatsThis::createAction(&window);
    action->setObjectName(QStringLiteral("whatsThis"));
    action->setText(helpText("&What's this?"));
    action->setToolTip(helpText("Click on a control to read what it does"));
    return action;
}

} // namespace

void openSample(QMainWindow& window, Models& models, const QString& file) {
    if (auto* presets = window.findChild<vm::PresetViewModel*>(); presets != nullptr) {
        models.leave.leave(presets, [presets, file] { presets->openSampleFile(file); });
    }
}

void showHelp(QMainWindow& window, Models& models, const QString& place) {
    shownBrowser(window, models).showPage(place);
}

void addHelpMenu(QMainWindow& window, Actions& actions, Models& models, const EngineRegistry& registry) {
    QMenu* menu = window.menuBar()->addMenu(helpText("&Help"));
    menu->addAction(actions.commands);
    menu->addSeparator();
    auto* tour = makeAction({QStringLiteral("tour"),
                             helpText("T&our"),
                             helpText("A small job on the open picture, one step after the other"),
                             {},
                             {}},
                            &window);
    menu->addActions({actions.help, actions.firstSteps, window.findChild<QAction*>(QStringLiteral("trySample")), tour,
                      makeWhatsThis(window), actions.shortcuts});
    QObject::connect(tour, &QAction::triggered, &window, [&window, &models] { startTour(window, models); });
    menu->addSeparator();
    menu->addActions({actions.about, actions.aboutQt});
    QObject::connect(actions.commands, &QAction::triggered, &window,
                     [&window, &models] { showCommands(window, models); });
    QObject::connect(actions.help, &QAction::triggered, &window, [&window, &models] {
        showHelp(window, models, helpPageOf(dockNameOf(QApplication::focusWidget())));
    });
    QObject::connect(actions.firstSteps, &QAction::triggered, &window,
                     [&window, &models] { showHelp(window, models, QStringLiteral("tutorials")); });
    QObject::connect(actions.shortcuts, &QAction::triggered, &window,
                     [&window] { showShortcuts(window, *window.menuBar()); });
    QObject::connect(actions.about, &QAction::triggered, &window,
                     [&window, &registry] { showAbout(window, registry); });
    QObject::connect(actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
}

} // namespace pollard::app

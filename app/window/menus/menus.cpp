#include "window/menus/menus.hpp"

#include "docks/named_windows_menu.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/models.hpp"
#include "vm/image/image_name.hpp"
#include "window/action_list.hpp"
#include "window/actions.hpp"
#include "window/earlier_actions.hpp"
#include "window/edit_actions.hpp"
#include "window/menus/presets_menu.hpp"
#include "window/workspaces.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcutEvent>

namespace pollard::app {
namespace {

QString menusText(const char* source) { return QCoreApplication::translate("Menus", source); }

/// Decides between controls with the same letter, between which Qt moves the focus only: the menu has it, else the
/// tour, else the panel with the focus.
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

} // namespace pollard::app

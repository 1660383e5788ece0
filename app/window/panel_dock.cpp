#include "window/panel_dock.hpp"

#include "widgets/panel_parts.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

namespace pollard::app {
namespace {

/// The last focused widget of a dock, else its first in tab order.
QWidget* focusOf(QDockWidget& dock) {
    QWidget* panel = dock.widget();
    const auto takesFocus = [&dock](const QWidget* widget) {
        return widget->isVisibleTo(&dock) && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    if (QWidget* last = panel->focusWidget(); last != nullptr && takesFocus(last)) {
        return last;
    }
    for (QWidget* next = panel->nextInFocusChain(); next != panel; next = next->nextInFocusChain()) {
        if (panel->isAncestorOf(next) && takesFocus(next)) {
            return next;
        }
    }
    return panel;
}

} // namespace

void showPanel(QMainWindow& window, const QString& name) {
    if (auto* dock = window.findChild<QDockWidget*>(name + QStringLiteral("Dock"))) {
        dock->show();
        dock->raise();
    }
}

void raiseWhenAsked(QDockWidget& dock) {
    QAction* entry = dock.toggleViewAction();
    QObject::disconnect(entry, &QAction::triggered, &dock,
                        nullptr); // Qt's slot hides open docks even if they are behind another tab
    QObject::connect(entry, &QAction::triggered, &dock, [&dock, entry](bool shown) {
        if (!shown && isSeen(dock)) {
            dock.close();
        } else {
            bringForward(dock);
            entry->setChecked(true);
        }
    });
}

void bringForward(QDockWidget& dock) {
    dock.show();
    dock.raise();
    if (dock.isFloating()) {
        dock.activateWindow();
    }
    focusOf(dock)->setFocus(Qt::OtherFocusReason);
}

QDockWidget* dockOf(const QAction& action) {
    auto* dock = qobject_cast<QDockWidget*>(action.parent());
    return dock != nullptr && dock->toggleViewAction() == &action ? dock : nullptr;
}

} // namespace pollard::app

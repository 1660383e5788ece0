#include "window/dialogs/panel_controls.hpp"

#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>

namespace pollard::app {
namespace {

template <class... Kinds> bool isOneOf(const QWidget& widget) {
    return ((qobject_cast<const Kinds*>(&widget) != nullptr) || ...);
}

/// Whether a widget is a named control by itself, not a part of one.
bool isControl(const QWidget& widget, const QDockWidget& dock) {
    return isOneOf<QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit>(widget) && !widget.objectName().isEmpty() &&
           !widget.objectName().startsWith(QLatin1String("qt_")) && !widget.accessibleName().isEmpty() &&
           (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.isVisibleTo(&dock);
}

/// Shows a control with the focus in it, and presses it if it is a button.
void use(QMainWindow& window, QDockWidget& dock, QWidget& control) {
    window.findChild<Workspaces*>()->showWorkspaceOf(dock.objectName().chopped(4)); // without "Dock"
    bringForward(dock);
    control.setFocus(Qt::ShortcutFocusReason);
    for (QWidget* around = control.parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) {
            scroll->ensureWidgetVisible(&control);
        }
    }
    if (const auto* button = qobject_cast<QToolButton*>(&control); button != nullptr && button->menu() != nullptr) {
        button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
    } else if (auto* pressed = qobject_cast<QAbstractButton*>(&control); pressed != nullptr) {
        pressed->click();
    }
}

} // namespace

QList<ListedAction> controlsOfPanels(QMainWindow& window) {
    const QString name = QStringLiteral("panelControls");
    delete window.findChild<QObject*>(name, Qt::FindDirectChildrenOnly);
    auto* owner = new QObject(&window);
    owner->setObjectName(name);
    QList<ListedAction> found;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QString place = QCoreApplication::translate("PanelControls", "%1 panel").arg(dock->windowTitle());
        QHash<const QWidget*, QString> labels;
        for (const QLabel* label : dock->findChildren<QLabel*>()) {
            if (label->buddy() != nullptr) {
                labels.insert(label->buddy(), label->text().remove(u'&'));
            }
        }
        for (QWidget* control : dock->findChildren<QWidget*>()) {
            if (!isControl(*control, *dock)) {
                continue;
            }
            auto* action = new QAction(control->accessibleName().replace(u'&', QLatin1String("&&")), owner);
            action->setObjectName(control->objectName());
            action->setToolTip(control->toolTip());
            if (labels.contains(control)) {
                action->setIconText(labels[control]);
            }
            action->setEnabled(control->isEnabled());
            QObject::connect(action, &QAction::triggered, control,
                             [&window, dock, control] { use(window, *dock, *control); });
            found.append({action, place});
        }
    }
    return found;
}

} // namespace pollard::app

#include "shell/make_action.hpp"

#include "theme/icons.hpp"

namespace pollard::app {

QAction* makeAction(const ActionText& what, QObject* parent) {
    auto* action = new QAction(what.text, parent);
    action->setObjectName(what.objectName);
    if (!what.icon.isEmpty()) {
        action->setIcon(themedIcon(what.icon));
    }
    action->setShortcuts(what.shortcuts);
    const QString key =
        what.shortcuts.isEmpty() ? QString() : what.shortcuts.front().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? what.toolTip : QStringLiteral("%1 (%2)").arg(what.toolTip, key));
    action->setStatusTip(what.toolTip);
    action->setWhatsThis(what.toolTip);
    if (what.checkable) {
        action->setCheckable(true);
        action->setIconVisibleInMenu(false); // the menu shows a check mark instead
    }
    return action;
}

} // namespace pollard::app

#include "window/action_list.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QSet>

namespace pollard::app {
namespace {

QString withoutMarks(QString text) {
    // "&&" is an ampersand, a single one marks the mnemonic.
    text.replace(QStringLiteral("&&"), QStringLiteral("\n")).remove(u'&').replace(u'\n', u'&');
    return text.remove(u'…').trimmed();
}

void collect(const QList<QAction*>& actions, const QString& menu, QSet<const QAction*>& seen,
             QList<ListedAction>& found) {
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || seen.contains(action)) {
            continue;
        }
        seen.insert(action);
        if (action->menu() == nullptr) {
            found.append({action, menu});
            continue;
        }
        const QString name = withoutMarks(action->menu()->title());
        collect(action->menu()->actions(), menu.isEmpty() ? name : menu + QStringLiteral(" › ") + name, seen, found);
    }
}

} // namespace

QList<ListedAction> actionsOfMenus(const QMenuBar& bar) {
    QSet<const QAction*> seen;
    QList<ListedAction> found;
    collect(bar.actions(), {}, seen, found);
    return found;
}

QString plainText(const QAction& action) { return withoutMarks(action.text()); }

QString keysText(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts()) {
        const QString name = key.toString(QKeySequence::NativeText);
        if (!keys.contains(name)) {
            keys << name;
        }
    }
    return keys.join(QCoreApplication::translate("Help", " or "));
}

} // namespace pollard::app

#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>

namespace pollard::app {

/// What an action is called and how it is reached.
struct ActionText {
    QString objectName;
    QString text;
    QString toolTip; ///< without the shortcut, which is added
    QString icon;    ///< of resources/icons; may be empty
    QList<QKeySequence> shortcuts;
    bool checkable = false;
};

[[nodiscard]] QAction* makeAction(const ActionText& what, QObject* parent);

} // namespace pollard::app

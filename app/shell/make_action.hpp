#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>

namespace pollard::app {

/// Texts and icon of an action.
struct ActionText {
    QString objectName;
    QString text;
    QString toolTip; ///< without the shortcut, which is appended
    QString icon;    ///< from resources/icons; may be empty
    QList<QKeySequence> shortcuts;
    bool checkable = false;
};

[[nodiscard]] QAction* makeAction(const ActionText& what, QObject* parent);

} // namespace pollard::app

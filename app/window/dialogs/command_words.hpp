#pragma once

#include <QString>
#include <QStringList>

namespace pollard::app {

/// Other words for a command, and the jobs that it does, separated by commas; in the language of the window.
/// @param name object name of an action, of a dock, or of a control in a panel
[[nodiscard]] QString commandWords(const QString& name);

/// Names that have words.
[[nodiscard]] QStringList namesWithWords();

} // namespace pollard::app

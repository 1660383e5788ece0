#pragma once

#include <QString>
#include <QStringList>

namespace pollard::app {

/// Codes of the languages that this build has a translation to, beside English: "fr".
[[nodiscard]] QStringList translatedLanguages();

/// Makes the program speak a language, its own texts and those of Qt, and write numbers as it does. Call before any
/// text is asked for.
/// @param code "fr", "en"; empty: the first one of the system's that there is. English where there is none
/// @return the code of what it speaks now
QString speak(const QString& code);

} // namespace pollard::app

#pragma once

#include <QString>
#include <QStringList>

namespace pollard::app {

/// Codes of the languages into which the program is translated: "fr".
[[nodiscard]] QStringList translatedLanguages();

/// Sets the language of the program, Qt's texts and number formats. Call before any text is translated.
/// @param code "fr", "en"; empty: the first available language of the system. English if unavailable
/// @return the code of the language set
QString installLanguage(const QString& code);

} // namespace pollard::app

#pragma once

#include <QString>

namespace pollard::vm {

/// Letters without case and without accents, so that "creer" finds "Créer".
[[nodiscard]] QString foldedText(const QString& text);

/// How well a text answers a query of words; 0 if it does not. Every word of the query has to be found: as the
/// beginning of a word (best), inside one, or as letters of the text in this order. Texts that begin with the query
/// come first, then those whose words begin with its words.
[[nodiscard]] int matchScore(const QString& query, const QString& text);

} // namespace pollard::vm

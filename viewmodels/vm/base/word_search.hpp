#pragma once

#include <QString>

namespace pollard::vm {

/// Letters without case and without accents, so that "creer" finds "Créer".
[[nodiscard]] QString foldedText(const QString& text);

/// How well a text answers a query of words; 0 if it does not. Every word of the query has to be found: as the
/// beginning of a word (best), inside one, or as letters of the text in this order. Texts that begin with the query
/// come first, then those whose words begin with its words.
/// @param scattered letters of a word may be scattered; in a long text that finds nearly everything
[[nodiscard]] int matchScore(const QString& query, const QString& text, bool scattered = true);

} // namespace pollard::vm

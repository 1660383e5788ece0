#pragma once

#include <QString>

namespace pollard::vm {

/// Text without case and accents, so that "creer" finds "Créer".
[[nodiscard]] QString foldedText(const QString& text);

/// Score of a text for a query of words; 0 without a match. Every word of the query must match: at the beginning of a
/// word (best), inside one, or as letters of the text in order. Texts that begin with the query score highest, then
/// those whose words begin with its words.
/// @param scattered letters of a word may be scattered; in a long text that matches nearly everything
[[nodiscard]] int matchScore(const QString& query, const QString& text, bool scattered = true);

} // namespace pollard::vm

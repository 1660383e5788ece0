#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace pollard::vm {

/// Text without case, accents and typographic apostrophes, so that "creer" finds "Créer".
[[nodiscard]] QString foldedText(const QString& text);

/// Words of a query, folded.
[[nodiscard]] QStringList queryWords(const QString& query);

/// A text that is found by the words of its title, by synonyms and by further keywords.
class FindableText {
public:
    /// @param synonyms other words for the same, separated by commas
    /// @param more words that count least
    FindableText(const QString& title, const QString& synonyms, const QString& more);

    /// Rank for a query, smaller is better; empty unless every word is found. A title that equals the query comes
    /// first. Else the word that fits worst decides, then the sum over the words: a whole word of the title, the
    /// beginning of one, a whole synonym, a part of the title, the beginning of a synonym, the beginning of one of the
    /// other words.
    /// @param words of queryWords()
    [[nodiscard]] std::optional<int> rank(const QStringList& words) const;
    /// Whether the title begins with the whole query, or the query is a synonym.
    /// @param words of queryWords()
    [[nodiscard]] bool isNamed(const QStringList& words) const;

private:
    [[nodiscard]] std::optional<int> rankOf(const QString& word) const;

    QString title_; ///< these are folded
    QString synonyms_;
    QString more_;
};

} // namespace pollard::vm

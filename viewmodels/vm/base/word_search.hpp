#pragma once

#include <QList>
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

/// A section of a page of the documentation: a heading and the text up to the next one.
struct HelpSection {
    QString page;    ///< "inspect"
    QString title;   ///< of the page, its first heading
    QString heading; ///< without Markdown marks
    QString anchor;  ///< as in links: "2-see-everything-the-tree"
    QString text;
    bool isLast = false; ///< found behind the sections of other pages
};

/// Anchor of a heading: lower case, spaces as dashes, without punctuation (GitHub's rule).
[[nodiscard]] QString headingAnchor(const QString& heading);

/// The documentation with a word search. Pages are Markdown with headings "# ...".
class HelpIndex {
public:
    /// @param isLast the page is listed after the others
    void add(const QString& page, const QString& markdown, bool isLast = false);

    [[nodiscard]] const QList<HelpSection>& sections() const noexcept { return sections_; }
    /// Title of a page; empty if there is none with this name.
    [[nodiscard]] QString titleOf(const QString& page) const;
    /// Sections that contain every word of the query; sections with the words in their heading come first. An empty
    /// query finds the first section of every page.
    [[nodiscard]] QList<HelpSection> find(const QString& query) const;

private:
    QList<HelpSection> sections_;
};

} // namespace pollard::vm

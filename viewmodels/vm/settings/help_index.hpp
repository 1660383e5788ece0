#pragma once

#include <QList>
#include <QString>

namespace pollard::vm {

/// A section of a page of the documentation: a heading and the text up to the next one.
struct HelpSection {
    QString page;    ///< "inspect"
    QString title;   ///< of the page, its first heading
    QString heading; ///< without Markdown marks
    QString anchor;  ///< as in links: "2-see-all-of-it-the-tree"
    QString text;
    bool isLast = false; ///< found behind the sections of other pages
};

/// Anchor of a heading: lower case, spaces as dashes, without punctuation (GitHub's rule).
[[nodiscard]] QString headingAnchor(const QString& heading);

/// The documentation with a word search. Pages are Markdown with headings "# ...".
class HelpIndex {
public:
    /// @param isLast the page is found behind the others
    void add(const QString& page, const QString& markdown, bool isLast = false);

    [[nodiscard]] const QList<HelpSection>& sections() const noexcept { return sections_; }
    /// Title of a page; empty if there is none with this name.
    [[nodiscard]] QString titleOf(const QString& page) const;
    /// Sections that contain every word of the query, those with words in their heading first. An empty query finds the
    /// first section of every page.
    [[nodiscard]] QList<HelpSection> find(const QString& query) const;

private:
    QList<HelpSection> sections_;
};

} // namespace pollard::vm

#pragma once

#include <QList>
#include <QString>

namespace pollard::vm {

/// A part of a page of the documentation: a heading and what follows up to the next one.
struct HelpSection {
    QString page;    ///< "inspect"
    QString title;   ///< of the page, its first heading
    QString heading; ///< without marks of Markdown
    QString anchor;  ///< as links name it: "2-see-all-of-it-the-tree"
    QString text;
};

/// How links name a heading: lower case, spaces as dashes, without punctuation (GitHub's rule).
[[nodiscard]] QString headingAnchor(const QString& heading);

/// The documentation, to be searched by words. Pages are Markdown with headings "# ...".
class HelpIndex {
public:
    void add(const QString& page, const QString& markdown);

    [[nodiscard]] const QList<HelpSection>& sections() const noexcept { return sections_; }
    /// Title of a page; empty if there is none of this name.
    [[nodiscard]] QString titleOf(const QString& page) const;
    /// Sections that hold every word of the query, those with words in their heading first. An empty query finds the
    /// first section of every page.
    [[nodiscard]] QList<HelpSection> find(const QString& query) const;

private:
    QList<HelpSection> sections_;
};

} // namespace pollard::vm

#include "vm/base/word_search.hpp"

#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr int kWorstFirst = 1000; ///< factor of the worst rank over the sum of all

enum class Place { none, inside, beginning, whole };

/// The best place of a word in a text.
Place placeOf(const QString& word, const QString& text) {
    const auto ends = [&text](qsizetype at) { return at < 0 || at >= text.size() || !text[at].isLetterOrNumber(); };
    Place best = Place::none;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const Place here = !ends(at - 1) ? Place::inside : ends(at + word.size()) ? Place::whole : Place::beginning;
        best = std::max(best, here);
    }
    return best;
}

} // namespace

QString foldedText(const QString& text) {
    QString folded = text.normalized(QString::NormalizationForm_D).toLower();
    folded.removeIf([](QChar letter) { return letter.category() == QChar::Mark_NonSpacing; });
    return folded.replace(QChar(0x2019), u'\''); // of keyboards, "d'échelle"
}

QStringList queryWords(const QString& query) { return foldedText(query).simplified().split(u' ', Qt::SkipEmptyParts); }

FindableText::FindableText(const QString& title, const QString& synonyms, const QString& more)
    : title_(foldedText(title).simplified()), synonyms_(foldedText(synonyms)), more_(foldedText(more)) {}

std::optional<int> FindableText::rankOf(const QString& word) const {
    const Place inTitle = placeOf(word, title_);
    if (inTitle >= Place::beginning) {
        return inTitle == Place::whole ? 0 : 1;
    }
    const Place inSynonyms = placeOf(word, synonyms_);
    if (inSynonyms == Place::whole) {
        return 2;
    }
    if (inTitle == Place::inside) {
        return 3;
    }
    if (inSynonyms == Place::beginning) {
        return 4;
    }
    return placeOf(word, more_) >= Place::beginning ? std::optional(5) : std::nullopt;
}

bool FindableText::isNamed(const QStringList& words) const {
    const QString query = words.join(u' ');
    const QStringList synonyms = synonyms_.split(u',');
    return (title_ + u' ').startsWith(query + u' ') ||
           std::ranges::any_of(synonyms, [&query](const QString& each) { return each.simplified() == query; });
}

std::optional<int> FindableText::rank(const QStringList& words) const {
    if (words.join(u' ') == title_) {
        return 0;
    }
    int worst = 0;
    int sum = 1;
    for (const QString& word : words) {
        const std::optional<int> found = rankOf(word);
        if (!found) {
            return std::nullopt;
        }
        worst = std::max(worst, *found);
        sum += *found;
    }
    return worst * kWorstFirst + sum;
}

namespace {

constexpr int kInHeading = 100; ///< score, compared to 1 per occurrence in the text
constexpr int kMostCounted = 20;

/// The text of a heading line "## `name` and more", or a null string for other lines.
QString headingOf(const QString& line) {
    qsizetype marks = 0;
    while (marks < line.size() && line[marks] == u'#') {
        ++marks;
    }
    if (marks == 0 || marks >= line.size() || line[marks] != u' ') {
        return {};
    }
    QString heading = line.mid(marks + 1).trimmed();
    heading.remove(u'`').remove(u'*');
    return heading;
}

/// 0 unless every word is found.
int scoreOf(const QStringList& words, const QString& heading, const QString& text) {
    int score = 0;
    for (const QString& word : words) {
        const auto inText = static_cast<int>(std::min<qsizetype>(text.count(word), kMostCounted));
        const int found = inText + (heading.contains(word) ? kInHeading : 0);
        if (found == 0) {
            return 0;
        }
        score += found;
    }
    return score;
}

} // namespace

QString headingAnchor(const QString& heading) {
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == u'-' || letter == u'_') {
            anchor += letter;
        } else if (letter == u' ') {
            anchor += u'-';
        }
    }
    return anchor;
}

void HelpIndex::add(const QString& page, const QString& markdown, bool isLast) {
    const qsizetype first = sections_.size();
    bool isCode = false;
    for (const QString& line : markdown.split(u'\n')) {
        if (line.startsWith(QLatin1String("```"))) {
            isCode = !isCode;
        }
        const QString heading = isCode ? QString() : headingOf(line);
        if (!heading.isEmpty()) {
            const QString title = sections_.size() == first ? heading : sections_[first].title;
            sections_.append({page, title, heading, headingAnchor(heading), {}, isLast});
        } else if (sections_.size() > first) {
            sections_.back().text += line + u'\n';
        }
    }
}

QString HelpIndex::titleOf(const QString& page) const {
    for (const HelpSection& section : sections_) {
        if (section.page == page) {
            return section.title;
        }
    }
    return {};
}

QList<HelpSection> HelpIndex::find(const QString& query) const {
    const QStringList words = foldedText(query).simplified().split(u' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, qsizetype>> found;
    for (qsizetype i = 0; i < sections_.size(); ++i) {
        const HelpSection& section = sections_[i];
        const bool opensPage = i == 0 || sections_[i - 1].page != section.page;
        const int score = words.isEmpty() ? static_cast<int>(opensPage)
                                          : scoreOf(words, foldedText(section.heading), foldedText(section.text));
        if (score > 0) {
            found.emplace_back(score, i);
        }
    }
    std::stable_sort(found.begin(), found.end(), [this](const auto& a, const auto& b) {
        return std::pair(!sections_[a.second].isLast, a.first) > std::pair(!sections_[b.second].isLast, b.first);
    });
    QList<HelpSection> result;
    for (const auto& [score, number] : found) {
        result.append(sections_[number]);
    }
    return result;
}

} // namespace pollard::vm

#include "vm/base/word_search.hpp"

#include <algorithm>

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

} // namespace pollard::vm

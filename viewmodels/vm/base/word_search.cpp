#include "vm/base/word_search.hpp"

#include <QStringList>

#include <algorithm>

namespace pollard::vm {

namespace {

constexpr int kStartOfText = 1000;
constexpr int kStartOfWord = 100;
constexpr int kInsideWord = 20;
constexpr int kScattered = 1;
constexpr qsizetype kShortestScattered = 2; ///< letters; a single letter matches nearly everything

/// Whether @p text contains the letters of @p word in order, the first one at the beginning of a word.
bool isScattered(const QString& word, const QString& text) {
    for (qsizetype start = text.indexOf(word.front()); start >= 0; start = text.indexOf(word.front(), start + 1)) {
        if (start > 0 && text[start - 1].isLetterOrNumber()) {
            continue;
        }
        qsizetype next = 0;
        for (qsizetype i = start; i < text.size() && next < word.size(); ++i) {
            next += text[i] == word[next] ? 1 : 0;
        }
        if (next == word.size()) {
            return true;
        }
    }
    return false;
}

int scoreOf(const QString& word, const QString& text, bool scattered) {
    qsizetype place = text.indexOf(word);
    if (place < 0) {
        return scattered && word.size() >= kShortestScattered && isScattered(word, text) ? kScattered : 0;
    }
    for (; place >= 0; place = text.indexOf(word, place + 1)) {
        if (place == 0 || !text[place - 1].isLetterOrNumber()) {
            return kStartOfWord;
        }
    }
    return kInsideWord;
}

} // namespace

QString foldedText(const QString& text) {
    QString folded = text.normalized(QString::NormalizationForm_D).toLower();
    folded.removeIf([](QChar letter) { return letter.category() == QChar::Mark_NonSpacing; });
    return folded;
}

int matchScore(const QString& query, const QString& text, bool scattered) {
    const QString folded = foldedText(text);
    const QString asked = foldedText(query).simplified();
    int score = folded.startsWith(asked) ? kStartOfText : 0;
    const QStringList words = asked.split(u' ', Qt::SkipEmptyParts);
    for (const QString& word : words) {
        const int found = scoreOf(word, folded, scattered);
        if (found == 0) {
            return 0;
        }
        score += found;
    }
    return std::max(score, 1);
}

} // namespace pollard::vm

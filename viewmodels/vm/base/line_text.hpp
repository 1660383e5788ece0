#pragma once

#include <QString>

namespace pollard::vm {

/// A text as a name for recipes and sessions: one line without control characters, of at most @p mostBytes of UTF-8.
[[nodiscard]] inline QString lineText(QString text, qsizetype mostBytes) {
    for (QChar& letter : text) {
        letter = letter.unicode() < 0x20 || letter.unicode() == 0x7f ? QChar(u' ') : letter;
    }
    text = text.trimmed().left(mostBytes);
    if (!text.isEmpty() && text.back().isHighSurrogate()) {
        text.chop(1);
    }
    while (text.toUtf8().size() > mostBytes) {
        text.chop(text.back().isLowSurrogate() ? 2 : 1);
    }
    return text;
}

} // namespace pollard::vm

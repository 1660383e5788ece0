#include "vm/base/teach_text.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace pollard::vm {
namespace {

QString filledIn(const char* source, const std::array<teach::Value, 4>& values, const teach::LabImage& picture,
                 std::uint32_t wordBits) {
    QString text = teachText(source);
    for (std::size_t i = 0; i < values.size(); ++i) {
        text.replace(QStringLiteral("%%1").arg(i + 1), valueText(values[i], picture, wordBits));
    }
    return text;
}

} // namespace

QString teachText(const char* source) { return QCoreApplication::translate("Teach", source); }

QString pixelText(const teach::LabImage& picture, std::int64_t pixel) {
    const std::int64_t width = std::max<std::int64_t>(1, picture.width);
    return pixel < 0 ? QStringLiteral("–") : QStringLiteral("(%1, %2)").arg(pixel % width).arg(pixel / width);
}

QString threadName(std::int64_t thread) { return QChar(static_cast<char16_t>(u'A' + thread)); }

QString bitsText(std::int64_t word, std::uint32_t bits) {
    QString text;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
        text += (static_cast<std::uint64_t>(word) >> bit & 1U) != 0 ? u'1' : u'0';
    }
    return text;
}

QString valueText(const teach::Value& value, const teach::LabImage& picture, std::uint32_t wordBits) {
    using Kind = teach::Value::Kind;
    switch (value.kind) {
    case Kind::pixel:
        return pixelText(picture, value.value);
    case Kind::thread:
        return threadName(value.value);
    case Kind::bits:
        return bitsText(value.value, wordBits);
    case Kind::number:
    case Kind::level:
        break;
    }
    return QString::number(value.value);
}

QString sentenceText(const teach::Sentence& sentence, const teach::LabImage& picture) {
    return filledIn(sentence.text, sentence.values, picture, 0);
}

QString captionOf(const teach::Trace& trace, std::size_t step) {
    const teach::Step& shown = trace.steps.at(step);
    return filledIn(shown.text->caption, shown.values, trace.picture, trace.wordBits);
}

} // namespace pollard::vm

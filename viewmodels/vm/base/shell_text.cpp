#include "vm/base/shell_text.hpp"

#include <QLocale>
#include <QRegularExpression>

namespace pollard::vm {

QString shellQuoted(const QString& argument) {
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_./:=,+-]+$"));
    return harmless.match(argument).hasMatch()
               ? argument
               : u'\'' + QString(argument).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

QString pixelSizeArgument(const PixelSize& size) {
    const auto number = [](double side) { return QString::number(side, 'g', QLocale::FloatingPointShortest); };
    const QString unit = size.unit == "µm" ? QStringLiteral("um") : QString::fromStdString(size.unit);
    const QString height = size.y != size.x ? u'x' + number(size.y) : QString();
    return number(size.x) + height + unit;
}

} // namespace pollard::vm

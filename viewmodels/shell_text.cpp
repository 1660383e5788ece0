#include "shell_text.hpp"

#include <QRegularExpression>

namespace pollard::vm {

QString shellQuoted(const QString& argument) {
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_./:=,+-]+$"));
    return harmless.match(argument).hasMatch()
               ? argument
               : u'\'' + QString(argument).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

} // namespace pollard::vm

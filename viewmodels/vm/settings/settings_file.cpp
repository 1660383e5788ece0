#include "vm/settings/settings_file.hpp"

#include <QFile>
#include <QSettings>

namespace pollard::vm {

QString setDamagedFileAside(QSettings& settings) {
    if (settings.status() != QSettings::FormatError) {
        return {};
    }
    QString copy = settings.fileName() + QStringLiteral(".damaged");
    QFile::remove(copy);
    QFile::copy(settings.fileName(), copy);
    settings.clear();
    return copy;
}

} // namespace pollard::vm

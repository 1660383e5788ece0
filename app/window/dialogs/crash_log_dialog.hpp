#pragma once

#include <QString>

class QWidget;

namespace pollard::app {

/// Opens the text of a crash log, with the place of its file.
void showCrashLog(QWidget& parent, const QString& path);

} // namespace pollard::app

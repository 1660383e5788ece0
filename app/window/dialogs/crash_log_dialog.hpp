#pragma once

#include <QString>

class QWidget;

namespace pollard::app {

/// Shows the text of a crash log with the path of its file.
void showCrashLog(QWidget& parent, const QString& path);

} // namespace pollard::app

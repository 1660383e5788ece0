#pragma once

#include <QString>
#include <QStringList>

namespace pollard::app {

/// Facts that decide whether a window can be opened.
struct DisplayFacts {
    QString platform;       ///< of -platform or QT_QPA_PLATFORM; empty: Qt chooses
    QString display;        ///< DISPLAY
    QString waylandDisplay; ///< WAYLAND_DISPLAY
    QStringList plugins;    ///< files of Qt's platform plugins
    QStringList complaints; ///< messages of Qt during the start

    [[nodiscard]] static DisplayFacts of(const QStringList& arguments);
};

/// Reason why no window can be opened, and a remedy, in one sentence.
[[nodiscard]] QString whyNoDisplay(const DisplayFacts& facts);

/// While an object of this class exists, a QApplication that finds no display ends the program with whyNoDisplay() on
/// stderr and exit code 1 instead of Qt's abort. Other messages of Qt are printed at the end. At most one object at a
/// time.
class DisplayStart {
public:
    DisplayStart(int argc, char** argv);
    ~DisplayStart();
    DisplayStart(const DisplayStart&) = delete;
    DisplayStart& operator=(const DisplayStart&) = delete;
};

} // namespace pollard::app

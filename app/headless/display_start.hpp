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
    QStringList complaints; ///< what Qt says while it starts

    [[nodiscard]] static DisplayFacts of(const QStringList& arguments);
};

/// Why no window can be opened and what helps, in one sentence.
[[nodiscard]] QString whyNoDisplay(const DisplayFacts& facts);

/// While it exists, a QApplication that finds no display ends the program with whyNoDisplay() on stderr and exit code
/// 1, where Qt aborts. Other messages of Qt are printed at the end. There can be one at a time.
class DisplayStart {
public:
    DisplayStart(int argc, char** argv);
    ~DisplayStart();
    DisplayStart(const DisplayStart&) = delete;
    DisplayStart& operator=(const DisplayStart&) = delete;
};

} // namespace pollard::app

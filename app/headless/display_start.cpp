#include "headless/display_start.hpp"

#include "headless/screenshot.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QtGlobal>

#include <cstdlib>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

struct QtMessage {
    QtMsgType type;
    QString text;
};

/// State of the only DisplayStart; global, because Qt's message handler is a function.
struct StartState {
    QtMessageHandler handler = nullptr; ///< the previous handler
    QStringList arguments;
    std::vector<QtMessage> complaints;
};

StartState& startState() {
    static StartState start;
    return start;
}

QStringList platformPlugins() {
    QStringList files;
    QStringList folders = QCoreApplication::libraryPaths();
    for (QString& folder : folders) {
        folder += QStringLiteral("/platforms");
    }
    folders << qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH");
    for (const QString& folder : folders) {
        files += folder.isEmpty() ? QStringList() : QDir(folder).entryList(QDir::Files);
    }
    return files;
}

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    StartState& start = startState();
    if (type != QtFatalMsg) {
        start.complaints.push_back({type, text});
        return;
    }
    DisplayFacts facts = DisplayFacts::of(start.arguments);
    for (const QtMessage& complaint : start.complaints) {
        facts.complaints << complaint.text;
    }
    printError(whyNoDisplay(facts));
    std::_Exit(1); // no memory is written, and Qt is half started
}

} // namespace

DisplayFacts DisplayFacts::of(const QStringList& arguments) {
    DisplayFacts facts{qEnvironmentVariable("QT_QPA_PLATFORM"),
                       qEnvironmentVariable("DISPLAY"),
                       qEnvironmentVariable("WAYLAND_DISPLAY"),
                       platformPlugins(),
                       {}};
    for (qsizetype i = 1; i + 1 < arguments.size(); ++i) {
        if (arguments[i] == QLatin1String("-platform") || arguments[i] == QLatin1String("--platform")) {
            facts.platform = arguments[i + 1];
        }
    }
    return facts;
}

QString whyNoDisplay(const DisplayFacts& facts) {
    const QString chosen = facts.platform.section(u';', 0, 0).section(u':', 0, 0);
    const bool wayland =
        chosen.isEmpty() ? !facts.waylandDisplay.isEmpty() : chosen.startsWith(QLatin1String("wayland"));
    const QString platform = wayland ? QStringLiteral("wayland") : chosen.isEmpty() ? QStringLiteral("xcb") : chosen;
    if (facts.plugins.filter(u'q' + platform).isEmpty()) {
        return wayland ? QStringLiteral("no window can be opened: Qt has no plugin for Wayland; install the package "
                                        "qt6-wayland (Debian, Ubuntu) or qt6-qtwayland (Fedora)")
                       : QStringLiteral("no window can be opened: Qt has no platform plugin \"%1\"").arg(platform);
    }
    if (!wayland && platform == QLatin1String("xcb") && facts.display.isEmpty()) {
        return QStringLiteral("no window can be opened: there is no display, DISPLAY and WAYLAND_DISPLAY are empty; "
                              "pollard-cli needs none, and xvfb-run makes one for pollard --screenshot");
    }
    const QString display = wayland ? facts.waylandDisplay : facts.display;
    if (wayland || !facts.complaints.filter(QStringLiteral("could not connect to display")).isEmpty()) {
        return QStringLiteral("no window can be opened: the display \"%1\" of %2 does not answer")
            .arg(display, wayland ? QStringLiteral("WAYLAND_DISPLAY") : QStringLiteral("DISPLAY"));
    }
    return QStringLiteral("no window can be opened: %1").arg(facts.complaints.join(u' '));
}

DisplayStart::DisplayStart(int argc, char** argv) {
    StartState& start = startState();
    for (int i = 0; i < argc; ++i) {
        start.arguments << QString::fromLocal8Bit(argv[i]);
    }
    start.handler = qInstallMessageHandler(takeMessage);
}

DisplayStart::~DisplayStart() {
    StartState& start = startState();
    qInstallMessageHandler(start.handler);
    for (const QtMessage& complaint : std::exchange(start.complaints, {})) {
        qt_message_output(complaint.type, QMessageLogContext(), complaint.text);
    }
    start.arguments.clear();
}

} // namespace pollard::app

// Starts without a display: message and exit code.
#include "headless/display_start.hpp"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <gmock/gmock.h>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

TEST(DisplayStart, NamesThePackageOfAMissingPlugin) {
    DisplayFacts facts;
    facts.waylandDisplay = QStringLiteral("wayland-0");
    facts.plugins = {QStringLiteral("libqxcb.so"), QStringLiteral("libqoffscreen.so")};
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("install the package qt6-wayland"));
    facts.platform = QStringLiteral("wayland;xcb");
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("install the package qt6-wayland"));
    facts.plugins << QStringLiteral("libqwayland-generic.so");
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("\"wayland-0\" of WAYLAND_DISPLAY does not answer"));
    facts.platform = QStringLiteral("nosuch");
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("no platform plugin \"nosuch\""));
}

TEST(DisplayStart, TellsAnUnreachableDisplayFromALibraryThatIsMissing) {
    DisplayFacts facts;
    facts.display = QStringLiteral(":77");
    facts.plugins = {QStringLiteral("libqxcb.so")};
    facts.complaints = {QStringLiteral("could not connect to display :77")};
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("\":77\" of DISPLAY does not answer"));
    facts.complaints = {QStringLiteral("xcb-cursor0 is needed.")};
    EXPECT_THAT(whyNoDisplay(facts).toStdString(), HasSubstr("xcb-cursor0 is needed."));
}

#ifdef POLLARD_BINARY

struct Ended {
    bool normally = false;
    int code = 0;
    QString said;
};

Ended start(const QStringList& arguments, const QString& platform, const QString& display) {
    const QTemporaryDir folder;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    environment.insert(QStringLiteral("DISPLAY"), display);
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(POLLARD_BINARY), arguments);
    EXPECT_TRUE(process.waitForFinished());
    return {process.exitStatus() == QProcess::NormalExit, process.exitCode(),
            QString::fromUtf8(process.readAllStandardError())};
}

TEST(DisplayStart, EndsWithOneSentenceWithoutADisplay) {
    const QString image = QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/coins_384x303_u8.tif");
    for (const QStringList& arguments :
         {QStringList{}, QStringList{QStringLiteral("--screenshot"), QStringLiteral("never.png"), image}}) {
        const Ended ended = start(arguments, {}, {});
        EXPECT_TRUE(ended.normally) << "aborted";
        EXPECT_EQ(ended.code, 1);
        EXPECT_THAT(ended.said.toStdString(), HasSubstr("there is no display"));
        EXPECT_EQ(ended.said.count(u'\n'), 1) << ended.said.toStdString();
    }
    const Ended unreachable = start({}, {}, QStringLiteral(":7777"));
    EXPECT_TRUE(unreachable.normally);
    EXPECT_EQ(unreachable.code, 1);
    EXPECT_THAT(unreachable.said.toStdString(), HasSubstr("\":7777\" of DISPLAY does not answer"));
    EXPECT_EQ(unreachable.said.count(u'\n'), 1) << unreachable.said.toStdString();
    const Ended unknown = start({}, QStringLiteral("nosuch"), {});
    EXPECT_TRUE(unknown.normally);
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.said.toStdString(), HasSubstr("nosuch"));
}

#endif

} // namespace
} // namespace pollard::app

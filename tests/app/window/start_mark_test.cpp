// The mark of a start tells the next start whether the last one failed.
#include "app/test_window.hpp"

#include "vm/settings/settings_view_model.hpp"
#include "window/window_look.hpp"

#include <QFile>
#include <QLockFile>
#include <QProcess>

namespace pollard::app {
namespace {

class StartMarkTest : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QString path = folder.filePath(QStringLiteral("Pollard/pollard.starting"));

    /// Leaves the mark of a process that has ended.
    void leaveMark() const {
        QProcess process;
        process.start(QStringLiteral("true"), QStringList());
        ASSERT_TRUE(process.waitForStarted());
        const qint64 id = process.processId();
        ASSERT_TRUE(process.waitForFinished());
        ASSERT_TRUE(QDir().mkpath(QFileInfo(path).absolutePath()));
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::number(id) + "\npollard\n" + QSysInfo::machineHostName().toUtf8() + '\n');
    }
};

TEST_F(StartMarkTest, AMarkThatIsLeftIsAFailedStart) {
    leaveMark();
    EXPECT_TRUE(StartMark(path).hasLastFailed());
    EXPECT_FALSE(StartMark(path).hasLastFailed()) << "the destructor ends a start";
}

TEST_F(StartMarkTest, IsRemovedWhenTheWindowIsPainted) {
    StartMark mark(path);
    EXPECT_FALSE(mark.hasLastFailed());
    EXPECT_TRUE(QFile::exists(path));
    QWidget window;
    mark.endWith(window);
    window.show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(path); }, kPatience));
}

TEST_F(StartMarkTest, AnotherProgramThatIsStartingHasNotFailed) {
    const StartMark other(path);
    EXPECT_FALSE(StartMark(path).hasLastFailed());
    EXPECT_TRUE(QFile::exists(path)) << "the mark of the other one stays";
}

#ifdef POLLARD_BINARY
/// The real program with settings in a folder.
class FailedStart : public StartMarkTest {
protected:
    [[nodiscard]] QSettings settings() const {
        return {folder.filePath(QStringLiteral("Pollard/pollard.conf")), QSettings::IniFormat};
    }
    [[nodiscard]] std::unique_ptr<QProcess> start() const {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
            environment.insert(QLatin1String(variable), folder.path());
        }
        process->setProcessEnvironment(environment);
        process->start(QStringLiteral(POLLARD_BINARY), QStringList());
        EXPECT_TRUE(process->waitForStarted(kPatience));
        return process;
    }
    [[nodiscard]] bool isStarted() const {
        return QTest::qWaitFor([this] { return QFile::exists(path); }, kPatience) &&
               QTest::qWaitFor([this] { return !QFile::exists(path); }, kPatience);
    }
};

TEST_F(FailedStart, SetsTheLookAsideAndOneThatWasKilledLaterDoesNot) {
    settings().setValue(QStringLiteral("tour/seen"), true);
    settings().setValue(QStringLiteral("workspaces/current"), QStringLiteral("objects"));
    const auto killed = start();
    ASSERT_TRUE(isStarted());
    killed->kill();
    ASSERT_TRUE(killed->waitForFinished(kPatience));
    const auto after = start();
    ASSERT_TRUE(isStarted());
    EXPECT_EQ(settings().value(QStringLiteral("workspaces/current")).toString(), QStringLiteral("objects"));
    after->kill();
    ASSERT_TRUE(after->waitForFinished(kPatience));

    leaveMark();
    const auto next = start();
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            return settings().value(QStringLiteral("setAside/workspaces/current")).toString() ==
                   QStringLiteral("objects");
        },
        kPatience));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !QFile::exists(path); }, kPatience));
    EXPECT_FALSE(settings().contains(QStringLiteral("workspaces/current")));
    next->terminate();
    EXPECT_TRUE(next->waitForFinished(kPatience));
}
#endif

} // namespace
} // namespace pollard::app

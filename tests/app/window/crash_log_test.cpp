// A crash of the real program: its log, and the offer at the next start.
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "base/crash_log.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "vm/session/stored_sessions.hpp"
#include "window/files/session_files.hpp"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>

#include <csignal>
#include <sys/types.h>
#include <utility>

namespace pollard::app {
namespace {

class CrashLogOffer : public ::testing::Test {
protected:
    QTemporaryDir folder;

    void SetUp() override { qputenv("XDG_STATE_HOME", folder.path().toUtf8()); }
    void TearDown() override { before_.isNull() ? qunsetenv("XDG_STATE_HOME") : qputenv("XDG_STATE_HOME", before_); }

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString kept() const { return pathOf("pollard/autosave"); }
    [[nodiscard]] QString writeImage() const {
        writeTiff(pathOf("a.tif").toStdString(), *makeNoise(64));
        return pathOf("a.tif");
    }
    static void writeLog(const char* name) {
        const QString logs = QString::fromStdString(crashFolder().string());
        ASSERT_TRUE(QDir().mkpath(logs));
        QFile log(logs + u'/' + QLatin1String(name));
        ASSERT_TRUE(log.open(QIODevice::WriteOnly));
        log.write("log of ");
        log.write(name);
    }
    static void setAge(const char* log, int seconds) {
        QFile file(QString::fromStdString((crashFolder() / log).string()));
        ASSERT_TRUE(file.open(QIODevice::ReadWrite) && file.setFileTime(QDateTime::currentDateTime().addSecs(-seconds),
                                                                        QFileDevice::FileModificationTime));
    }
    /// Names and times of the files in some folders, for messages.
    static std::string timesOf(const QStringList& folders) {
        QString text;
        for (const QString& each : folders) {
            for (const QFileInfo& file : QDir(each).entryInfoList(QDir::Files | QDir::Hidden)) {
                text += file.fileName() + u' ' + file.lastModified().toString(Qt::ISODateWithMs) + u'\n';
            }
        }
        return text.toStdString();
    }
    /// Leaves a session of process 1, as a crash does.
    void leaveSession() {
        TestWindow test;
        test.window.openFile(writeImage());
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience) && test.settle());
        vm::SessionAutosave autosave(test.models.sessions, kept());
        QSignalSpy written(&autosave, &vm::SessionAutosave::written);
        autosave.writeNow();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !written.isEmpty(); }, kPatience));
        ASSERT_TRUE(QFile::copy(autosave.path(), kept() + QStringLiteral("/1-crashed.pollard")));
    }
    /// The question after a crash; null if it does not appear.
    static QMessageBox* questionOf(TestWindow& test, const char* name = "recovery") {
        QMessageBox* box = nullptr;
        static_cast<void>(QTest::qWaitFor(
            [&] {
                box = test.window.findChild<QMessageBox*>(QLatin1String(name));
                return box != nullptr && box->isVisible();
            },
            kPatience));
        return box;
    }
    /// Whether a newly started program shows no question.
    [[nodiscard]] bool nothingIsTold() const {
        TestWindow test;
        vm::SessionAutosave autosave(test.models.sessions, kept());
        offerRecovery(test.window, autosave);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !autosave.isLooking(); }, kPatience));
        QCoreApplication::processEvents();
        return test.window.findChildren<QMessageBox*>().isEmpty();
    }
    static QAbstractButton* buttonOf(const QMessageBox& box, const char* text) {
        for (QAbstractButton* button : box.buttons()) {
            if (button->text() == QLatin1String(text)) {
                return button;
            }
        }
        return nullptr;
    }
    /// Presses the button that shows the log. @return the shown text; null if none
    static QPlainTextEdit* show(const QMessageBox& box) {
        QAbstractButton* button = buttonOf(box, "&Show the crash log");
        if (button == nullptr) {
            return nullptr;
        }
        QTest::mouseClick(button, Qt::LeftButton);
        return box.findChild<QPlainTextEdit*>(QStringLiteral("crashLogText"));
    }

private:
    QByteArray before_ = qgetenv("XDG_STATE_HOME");
};

TEST_F(CrashLogOffer, IsForTheProcessThatLeftTheSession) {
    leaveSession();
    writeLog("20261123-043000-pollard-1.txt");
    writeLog("20261123-043000-pollard-2.txt");
    TestWindow later;
    vm::SessionAutosave autosave(later.models.sessions, kept());
    offerRecovery(later.window, autosave);
    const QMessageBox* box = questionOf(later);
    ASSERT_NE(box, nullptr);
    const QPlainTextEdit* text = show(*box);
    ASSERT_NE(text, nullptr) << timesOf({crashFolder().c_str(), kept()});
    EXPECT_EQ(text->toPlainText(), QStringLiteral("log of 20261123-043000-pollard-1.txt"));
    const QWidget& dialog = *text->window();
    for (const QStringList& lacking : {testing::namelessControls(dialog), testing::unexplainedControls(dialog),
                                       testing::unreachableControls(dialog), testing::cutTexts(dialog)}) {
        EXPECT_TRUE(lacking.isEmpty()) << lacking.join(u'\n').toStdString();
    }
    EXPECT_TRUE(box->isVisible());
    text->window()->close();
    QTest::mouseClick(buttonOf(*box, "&Later"), Qt::LeftButton);
    EXPECT_TRUE(QFile::exists(kept() + QStringLiteral("/1-crashed.pollard")));
}

TEST_F(CrashLogOffer, LeavesOutTheLogOfAnEarlierProcessWithTheSameNumber) {
    leaveSession();
    writeLog("20261123-043000-pollard-1.txt");
    for (const auto& [age, isOffered] : {std::pair{3600, false}, std::pair{5, true}}) {
        setAge("20261123-043000-pollard-1.txt", age);
        TestWindow test;
        vm::SessionAutosave autosave(test.models.sessions, kept());
        offerRecovery(test.window, autosave);
        const QMessageBox* box = questionOf(test);
        ASSERT_NE(box, nullptr);
        EXPECT_EQ(buttonOf(*box, "&Show the crash log") != nullptr, isOffered) << age;
        QTest::mouseClick(buttonOf(*box, "&Later"), Qt::LeftButton);
    }
}

TEST_F(CrashLogOffer, ComesOnceWithoutASession) {
    EXPECT_TRUE(nothingIsTold());
    writeLog("20261123-043000-pollard-1.txt");
    writeLog("20261123-050000-pollard-2.txt");
    writeLog("20261123-060000-pollard-cli-3.txt");
    {
        TestWindow test;
        vm::SessionAutosave autosave(test.models.sessions, kept());
        offerRecovery(test.window, autosave);
        const QMessageBox* box = questionOf(test, "crashed");
        ASSERT_NE(box, nullptr);
        for (const QStringList& lacking : {testing::namelessControls(*box), testing::unexplainedControls(*box),
                                           testing::unreachableControls(*box), testing::cutTexts(*box)}) {
            EXPECT_TRUE(lacking.isEmpty()) << lacking.join(u'\n').toStdString();
        }
        const QPlainTextEdit* text = show(*box);
        ASSERT_NE(text, nullptr);
        EXPECT_EQ(text->toPlainText(), QStringLiteral("log of 20261123-050000-pollard-2.txt")) << "the window's latest";
    }
    EXPECT_TRUE(nothingIsTold()) << "whoever was told of the latest was told of all";
    writeLog("20261123-070000-pollard-2.txt");
    EXPECT_FALSE(nothingIsTold());
}

#ifdef POLLARD_BINARY
class CrashLogOfTheWindow : public CrashLogOffer {
protected:
    void killAfterAutosave(int signal) {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
            environment.insert(QLatin1String(variable), folder.path());
        }
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(POLLARD_BINARY),
                      {writeImage(), QStringLiteral("--keep"), QStringLiteral("area>=7")});
        const auto sessions = [this] { return QDir(kept()).entryList({QStringLiteral("*.pollard")}, QDir::Files); };
        ASSERT_TRUE(QTest::qWaitFor([&] { return !sessions().isEmpty(); }, kPatience))
            << program.readAllStandardError().constData();
        ASSERT_EQ(::kill(static_cast<pid_t>(program.processId()), signal), 0);
        ASSERT_TRUE(program.waitForFinished(kPatience));
        EXPECT_FALSE(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0);
    }
};

TEST_F(CrashLogOfTheWindow, IsShownByTheNextOne) {
    killAfterAutosave(SIGSEGV);
    const auto logs = crashLogs(crashFolder());
    ASSERT_EQ(logs.size(), 1U);
    EXPECT_EQ(logs.front().program, "pollard");
    QFile file(QString::fromStdString(logs.front().path.string()));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray log = file.readAll();
    EXPECT_TRUE(log.contains("SIGSEGV") && log.contains("engines: ") && log.contains("window: Qt ")) << log.constData();
    EXPECT_FALSE(log.contains("a.tif")) << log.constData();
    TestWindow test;
    vm::SessionAutosave autosave(test.models.sessions, kept());
    offerRecovery(test.window, autosave);
    const QMessageBox* box = questionOf(test);
    ASSERT_NE(box, nullptr);
    const QPlainTextEdit* text = show(*box);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(text->toPlainText().toUtf8(), log);
}

TEST_F(CrashLogOfTheWindow, IsNotThereAfterSigkill) {
    killAfterAutosave(SIGKILL);
    EXPECT_FALSE(QFile::exists(pathOf("pollard/crashes")));
    TestWindow test;
    vm::SessionAutosave autosave(test.models.sessions, kept());
    offerRecovery(test.window, autosave);
    const QMessageBox* box = questionOf(test);
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(show(*box), nullptr);
}
#endif

} // namespace
} // namespace pollard::app

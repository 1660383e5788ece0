// The autosave for a crash: present after SIGKILL, complete at any moment, and deleted after a normal exit.
#include "vm/session/stored_sessions.hpp"

#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::Workspace;

class Autosave : public ::testing::Test {
protected:
    QTemporaryDir folder;

    [[nodiscard]] QString kept() const { return folder.filePath(QStringLiteral("state/pollard")); }
    [[nodiscard]] QString writeImage() const {
        QString path = folder.filePath(QStringLiteral("a.tif"));
        writeTiff(path.toStdString(), *discs(60, 48, {{20, 20, 9}}), {.compression = TiffCompression::none});
        return path;
    }
    /// Waits until the autosave has listed the files of other programs.
    [[nodiscard]] static bool hasLooked(const SessionAutosave& autosave) {
        return eventually([&] { return !autosave.isLooking(); });
    }
    [[nodiscard]] QStringList files() const { return QDir(kept()).entryList(QDir::Files | QDir::Hidden); }
};

TEST_F(Autosave, IsWrittenAfterAChangeAndGoesWithTheImageAndTheProgram) {
    Workspace space;
    auto autosave = std::make_unique<SessionAutosave>(space.sessions, kept());
    autosave->setDelay(1);
    ASSERT_TRUE(hasLooked(*autosave));
    EXPECT_TRUE(autosave->found().isEmpty());
    QSignalSpy written(autosave.get(), &SessionAutosave::written);
    ASSERT_TRUE(space.open(writeImage()));
    ASSERT_TRUE(eventually([&] { return QFile::exists(autosave->path()); }));
    const auto minimum = [&autosave] {
        const SavedSession session = loadSession(autosave->path().toStdString());
        const auto& bounds = session.filter.criteria.entries.front().chosen;
        return bounds.empty() ? std::nullopt : bounds.begin()->second.minimum;
    };
    space.filter.setMinimum(7);
    ASSERT_TRUE(eventually([&] { return minimum() == 7; }));
    EXPECT_EQ(space.sessions.path(), QString()) << "it is no session that a person saved";
    space.document.close();
    ASSERT_TRUE(eventually([&] { return !QFile::exists(autosave->path()); }));
    ASSERT_TRUE(space.open(writeImage()));
    ASSERT_TRUE(eventually([&] { return QFile::exists(autosave->path()); }));
    autosave.reset();
    EXPECT_TRUE(files().isEmpty()) << files().join(u' ').toStdString();
}

TEST_F(Autosave, OfAProgramThatRunsIsNotOffered) {
    Workspace space;
    SessionAutosave autosave(space.sessions, kept());
    ASSERT_TRUE(space.open(writeImage()));
    autosave.writeNow();
    ASSERT_TRUE(eventually([&] { return QFile::exists(autosave.path()); }));
    Workspace other;
    const SessionAutosave beside(other.sessions, kept());
    ASSERT_TRUE(hasLooked(beside));
    EXPECT_TRUE(beside.found().isEmpty());
    EXPECT_NE(beside.path(), autosave.path());
}

TEST_F(Autosave, TellsOnceThatNothingCanBeKept) {
    const QString inTheWay = folder.filePath(QStringLiteral("file"));
    QFile file(inTheWay);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    Workspace space;
    SessionAutosave autosave(space.sessions, inTheWay + QStringLiteral("/folder"));
    QSignalSpy failed(&autosave, &SessionAutosave::failed);
    QSignalSpy written(&autosave, &SessionAutosave::written);
    ASSERT_TRUE(space.open(writeImage()));
    for (int i = 0; i < 3; ++i) {
        autosave.writeNow();
        testing::settle();
    }
    ASSERT_TRUE(eventually([&] { return !failed.isEmpty(); }));
    EXPECT_EQ(failed.size(), 1);
    EXPECT_TRUE(written.isEmpty());
}

constexpr auto kFolder = "POLLARD_TEST_AUTOSAVE";

/// The program to be killed: edits an image and saves repeatedly, with a line of output each time.
TEST(AutosaveChild, DISABLED_WorksUntilItIsKilled) {
    const QDir folder(qEnvironmentVariable(kFolder));
    Workspace space;
    SessionAutosave autosave(space.sessions, folder.filePath(QStringLiteral("state/pollard")));
    ASSERT_TRUE(space.open(folder.filePath(QStringLiteral("a.tif"))));
    int number = 1;
    QObject::connect(&autosave, &SessionAutosave::written, &space.filter, [&] {
        std::printf("written %d\n", number);
        std::fflush(stdout);
        space.filter.setMinimum(1 + ++number % 50);
        autosave.writeNow();
    });
    space.filter.setMinimum(2);
    autosave.writeNow();
    EXPECT_FALSE(eventually([] { return false; }, 600000));
}

/// A real program in the same folder.
class Child {
public:
    explicit Child(const QString& folder) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kFolder), folder);
        process_.setProcessEnvironment(environment);
        process_.start(QCoreApplication::applicationFilePath(),
                       {QStringLiteral("--gtest_also_run_disabled_tests"),
                        QStringLiteral("--gtest_filter=AutosaveChild.DISABLED_WorksUntilItIsKilled")});
    }
    /// Waits for @p times lines about written files.
    [[nodiscard]] bool hasWritten(int times) {
        return eventually(
            [&] {
                output_ += process_.readAllStandardOutput();
                return output_.count("written ") >= times;
            },
            120000);
    }
    [[nodiscard]] bool kill() {
        process_.kill(); // SIGKILL
        return process_.waitForFinished(60000) && process_.exitStatus() == QProcess::CrashExit;
    }

private:
    QProcess process_;
    QByteArray output_;
};

TEST_F(Autosave, IsThereAfterSigkillAndComesBack) {
    const QString image = writeImage();
    {
        Child child(folder.path());
        ASSERT_TRUE(child.hasWritten(3));
        ASSERT_TRUE(child.kill());
    }
    Workspace space;
    auto autosave = std::make_unique<SessionAutosave>(space.sessions, kept());
    EXPECT_TRUE(autosave->found().isEmpty()) << "it is looked for on another thread";
    ASSERT_TRUE(hasLooked(*autosave));
    ASSERT_EQ(autosave->found().size(), 1);
    EXPECT_EQ(autosave->found().front().image, QStringLiteral("a.tif"));
    const QString path = autosave->found().front().path;
    const SavedSession session = loadSession(path.toStdString());
    { // not offered to another program meanwhile
        Workspace other;
        const SessionAutosave beside(other.sessions, kept());
        ASSERT_TRUE(hasLooked(beside));
        EXPECT_TRUE(beside.found().isEmpty());
    }

    autosave->recover(path);
    ASSERT_TRUE(eventually([&] { return autosave->found().isEmpty(); }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.document.path(), image);
    EXPECT_EQ(space.filter.minimum(), session.filter.criteria.entries.front().chosen.at(AttributeId::area).minimum);
    EXPECT_EQ(space.sessions.path(), QString()) << "it was not saved yet";
    EXPECT_TRUE(QFile::exists(path) || QFile::exists(autosave->path())) << "one of both is always there";
    autosave->writeNow();
    ASSERT_TRUE(eventually([&] { return !QFile::exists(path); }));
    EXPECT_TRUE(QFile::exists(autosave->path()));
    autosave.reset();
    EXPECT_TRUE(files().isEmpty()) << files().join(u' ').toStdString();
}

TEST_F(Autosave, IsWholeWheneverSigkillComes) {
    std::ignore = writeImage();
    testing::Random random(6);
    for (int i = 0; i < 6; ++i) {
        {
            Child child(folder.path());
            ASSERT_TRUE(child.hasWritten(1));
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000)); // at a random moment of a write
            ASSERT_TRUE(child.kill());
        }
        Workspace space;
        SessionAutosave autosave(space.sessions, kept());
        ASSERT_TRUE(hasLooked(autosave));
        ASSERT_EQ(autosave.found().size(), 1);
        EXPECT_NO_THROW((void)loadSession(autosave.found().front().path.toStdString()));
        autosave.discard(autosave.found().front().path);
        EXPECT_TRUE(autosave.found().isEmpty());
        EXPECT_EQ(files().size(), 1) << "only the lock of this program: " << files().join(u' ').toStdString();
    }
}

TEST_F(Autosave, RemovesPartsOfWritesThatWereBrokenOff) {
    ASSERT_TRUE(QDir().mkpath(kept()));
    const auto pathOf = [this](const char* name) { return QDir(kept()).filePath(QLatin1String(name)); };
    Workspace space;
    ASSERT_TRUE(space.open(writeImage()));
    ASSERT_TRUE(space.save(pathOf("1-a.pollard")));
    QLockFile running(pathOf("3-c.lock"));
    ASSERT_TRUE(running.tryLock(0));
    for (const char* name : {".1-a.pollard.part-1", "2-b.told", ".2-b.pollard.part-7", ".3-c.pollard.part-1"}) {
        ASSERT_TRUE(QFile(pathOf(name)).open(QIODevice::WriteOnly));
    }
    const SessionAutosave autosave(space.sessions, kept());
    ASSERT_TRUE(hasLooked(autosave));
    EXPECT_EQ(autosave.found().size(), 1);
    EXPECT_FALSE(QFile::exists(pathOf(".1-a.pollard.part-1")));
    EXPECT_FALSE(QFile::exists(pathOf(".2-b.pollard.part-7"))) << "of a first write";
    EXPECT_TRUE(QFile::exists(pathOf(".3-c.pollard.part-1"))) << "of a program that runs";
}

TEST_F(Autosave, TellsOnceOfWhatItCannotRead) {
    ASSERT_TRUE(QDir().mkpath(kept()));
    const QString path = kept() + QStringLiteral("/1-a.pollard");
    const auto leave = [&path](const QByteArray& content) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    };
    const QByteArray newer = "{\"pollard_session\": 1000}";
    ASSERT_TRUE(leave(newer));
    {
        Workspace space;
        SessionAutosave autosave(space.sessions, kept());
        ASSERT_TRUE(hasLooked(autosave));
        EXPECT_TRUE(autosave.found().isEmpty());
        ASSERT_EQ(autosave.unreadable().size(), 1);
        EXPECT_EQ(autosave.unreadable().front().path, path);
        EXPECT_TRUE(autosave.unreadable().front().problem.contains(QStringLiteral("reads version 1")))
            << autosave.unreadable().front().problem.toStdString();
        // Not reported to another program meanwhile.
        Workspace other;
        const SessionAutosave beside(other.sessions, kept());
        ASSERT_TRUE(hasLooked(beside));
        EXPECT_TRUE(beside.unreadable().isEmpty());
    } // reported again without an answer
    for (const int told : {1, 0}) {
        Workspace space;
        SessionAutosave autosave(space.sessions, kept());
        ASSERT_TRUE(hasLooked(autosave));
        ASSERT_EQ(autosave.unreadable().size(), told);
        autosave.keep(path);
        EXPECT_TRUE(autosave.unreadable().isEmpty());
        EXPECT_TRUE(QFile::exists(path)) << "a newer program may read it";
    }
    // A file that becomes readable is offered, and deleted without remains.
    {
        Workspace space;
        ASSERT_TRUE(space.open(writeImage()));
        ASSERT_TRUE(space.save(path));
    }
    {
        Workspace space;
        SessionAutosave autosave(space.sessions, kept());
        ASSERT_TRUE(hasLooked(autosave));
        ASSERT_EQ(autosave.found().size(), 1);
        autosave.discard(path);
        EXPECT_EQ(files().size(), 1) << "only the lock of this program: " << files().join(u' ').toStdString();
    }
    ASSERT_TRUE(leave(newer));
    {
        Workspace space;
        SessionAutosave autosave(space.sessions, kept());
        ASSERT_TRUE(hasLooked(autosave));
        ASSERT_EQ(autosave.unreadable().size(), 1);
        autosave.discard(path);
        EXPECT_FALSE(QFile::exists(path));
    }
    EXPECT_TRUE(files().isEmpty()) << files().join(u' ').toStdString();
}

} // namespace
} // namespace pollard::vm

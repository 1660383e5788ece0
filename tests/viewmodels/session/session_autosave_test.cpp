// The autosave for a crash: present after SIGKILL, complete at any moment, and deleted after a normal exit.
#include "vm/session/stored_sessions.hpp"

#include "support/random_images.hpp"
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
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
    /// A bright square, and no pixel of an object below row 30.
    [[nodiscard]] QString writeSquare() const {
        QString path = folder.filePath(QStringLiteral("a.tif"));
        const auto image = testing::makeImage(PixelType::u8, 60, 48, [](auto x, auto y) -> std::uint32_t {
            return x >= 10 && x < 30 && y >= 10 && y < 30 ? 200 : 20;
        });
        writeTiff(path.toStdString(), {*image, {}}, {.compression = TiffCompression::none});
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
    explicit Child(const QString& folder, const char* test = "AutosaveChild.DISABLED_WorksUntilItIsKilled") {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kFolder), folder);
        process_.setProcessEnvironment(environment);
        process_.start(QCoreApplication::applicationFilePath(),
                       {QStringLiteral("--gtest_also_run_disabled_tests"),
                        QStringLiteral("--gtest_filter=%1").arg(QLatin1String(test))});
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

/// Numbers of the edited objects in a session and its journals.
std::optional<LabelRuns> keptEdits(const QString& path) {
    const std::filesystem::path file = path.toStdString();
    if (!std::filesystem::exists(file)) {
        return std::nullopt;
    }
    SavedSession session = loadSession(file);
    replayJournals(session, file);
    return session.edited;
}

/// Objects of the image, and strokes of one pixel.
class EditedObjects {
public:
    explicit EditedObjects(Workspace& space) : space_(space) {}

    [[nodiscard]] bool find() {
        space_.objects.setSource(StepImage::original);
        space_.objects.setActive(true);
        return rests() && space_.labelEdits.isAvailable();
    }
    [[nodiscard]] bool paint(int x) {
        space_.labelEdits.setBrush(1);
        space_.labelEdits.setTool(LabelTool::brush);
        space_.labelEdits.begin({x + .5, 40.5}, false);
        space_.labelEdits.finish();
        return rests();
    }
    [[nodiscard]] bool rests() {
        return eventually([this] { return !space_.labelEdits.isBusy(); }) && space_.rests();
    }
    [[nodiscard]] LabelRuns runs() const {
        const Components& found = space_.objects.objects()->components;
        return LabelRuns::of(found.labels.span(), found.extent());
    }

private:
    Workspace& space_;
};

TEST_F(Autosave, HasEveryEditOfObjectsAtOnce) {
    Workspace space;
    EditedObjects objects(space);
    SessionAutosave autosave(space.sessions, kept());
    autosave.setDelay(3600000);
    ASSERT_TRUE(hasLooked(autosave));
    ASSERT_TRUE(space.open(writeSquare()));
    ASSERT_TRUE(objects.find());
    const auto isKept = [&] {
        const LabelRuns present = objects.runs();
        return eventually([&] { return keptEdits(autosave.path()) == present; });
    };
    const auto journals = [&] { return journalsOf(autosave.path().toStdString()).size(); };
    for (int x = 3; x < 8; ++x) {
        ASSERT_TRUE(objects.paint(x));
        EXPECT_TRUE(isKept()) << x;
    }
    EXPECT_EQ(journals(), 1U);
    space.history.undo();
    ASSERT_TRUE(objects.rests());
    EXPECT_TRUE(isKept()) << "an edit that was undone";
    QSignalSpy written(&autosave, &SessionAutosave::written);
    autosave.writeNow();
    ASSERT_TRUE(eventually([&] { return !written.isEmpty(); }));
    EXPECT_EQ(journals(), 0U) << "the session has all edits";
    EXPECT_TRUE(isKept());
    ASSERT_TRUE(objects.paint(30));
    EXPECT_TRUE(isKept());
    EXPECT_EQ(journals(), 1U);
    space.labelEdits.findAgain();
    ASSERT_TRUE(objects.rests());
    ASSERT_TRUE(objects.paint(31)); // of other objects
    EXPECT_TRUE(isKept());
    space.document.close();
    autosave.writeNow();
    ASSERT_TRUE(eventually([&] { return !QFile::exists(autosave.path()); }));
    EXPECT_EQ(journals(), 0U);
}

/// The program to be killed: paints a pixel after the other, and says when each is kept.
TEST(AutosaveChild, DISABLED_EditsUntilItIsKilled) {
    const QDir folder(qEnvironmentVariable(kFolder));
    Workspace space;
    EditedObjects objects(space);
    SessionAutosave autosave(space.sessions, folder.filePath(QStringLiteral("state/pollard")));
    autosave.setDelay(200);
    ASSERT_TRUE(space.open(folder.filePath(QStringLiteral("a.tif"))));
    ASSERT_TRUE(objects.find());
    for (int x = 0; x < 60; ++x) {
        ASSERT_TRUE(objects.paint(x));
        ASSERT_TRUE(eventually([&] { return keptEdits(autosave.path()) == objects.runs(); }));
        std::printf("written %d\n", x);
        std::fflush(stdout);
    }
    EXPECT_FALSE(eventually([] { return false; }, 600000));
}

TEST_F(Autosave, LosesAtMostOneStrokeBySigkill) {
    std::ignore = writeSquare();
    const int times = 7;
    {
        Child child(folder.path(), "AutosaveChild.DISABLED_EditsUntilItIsKilled");
        ASSERT_TRUE(child.hasWritten(times));
        ASSERT_TRUE(child.kill());
    }
    Workspace space;
    SessionAutosave autosave(space.sessions, kept());
    ASSERT_TRUE(hasLooked(autosave));
    ASSERT_EQ(autosave.found().size(), 1);
    autosave.recover(autosave.found().front().path);
    ASSERT_TRUE(eventually([&] { return autosave.found().isEmpty(); }));
    ASSERT_TRUE(EditedObjects(space).find());
    ASSERT_TRUE(space.labelEdits.isEdited());
    const Components& found = space.objects.objects()->components;
    for (std::size_t x = 0; x < times; ++x) {
        EXPECT_NE(found.labels[40 * found.width + x], 0U) << x;
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

// Work stored when its image is closed: written completely, offered to one program at a time, pruned, and never lost
// without a message.
#include "vm/session/leave_view_model.hpp"
#include "vm/session/stored_sessions.hpp"
#include "vm/settings/settings_view_model.hpp"

#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::Workspace;
using Answer = LeaveViewModel::Answer;

class Kept : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QSettings store{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    SettingsViewModel settings{store};

    [[nodiscard]] QString kept() const { return folder.filePath(QStringLiteral("state/pollard")); }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString writeImage(const char* name, std::uint32_t seed = 1) const {
        writeTiff(pathOf(name).toStdString(), *discs(60, 48, {{20, 20, 9}}, seed),
                  {.compression = TiffCompression::none});
        return pathOf(name);
    }
    [[nodiscard]] QStringList files() const {
        return QDir(kept()).entryList({QStringLiteral("kept-*.pollard")}, QDir::Files);
    }
    [[nodiscard]] static bool knows(StoredSessions& work) {
        work.look();
        return eventually([&] { return !work.isLooking(); });
    }
    /// Waits until the work is written; returns the reason of a failure.
    [[nodiscard]] static QString keep(Workspace& space, StoredSessions& work) {
        std::optional<QString> end;
        work.keep(space.sessions.draft(), [&end](const QString& problem) { end = problem; });
        EXPECT_TRUE(eventually([&] { return end.has_value(); }));
        return end.value_or(QStringLiteral("no answer"));
    }
    [[nodiscard]] static bool resume(Workspace& space, StoredSessions& work, const QString& path) {
        QSignalSpy opened(&space.sessions, &SessionViewModel::opened);
        work.resume(path);
        return eventually([&] { return !opened.isEmpty(); }) && space.rests();
    }
    /// Opens an image and edits it.
    [[nodiscard]] bool begin(Workspace& space, const char* name, double minimum = 7) const {
        if (!space.open(writeImage(name))) {
            return false;
        }
        space.filter.setMinimum(minimum);
        return space.rests();
    }
};

TEST_F(Kept, IsOfferedContinuedAndGoesWhenItIsSaved) {
    {
        Workspace space;
        StoredSessions work(space.sessions, kept());
        ASSERT_TRUE(begin(space, "a.tif"));
        EXPECT_EQ(keep(space, work), QString());
        EXPECT_EQ(work.own(), QDir(kept()).filePath(files().value(0)));
        ASSERT_TRUE(knows(work));
        EXPECT_TRUE(work.entries().isEmpty()) << "it is the work in the window";
        space.filter.setMinimum(9);
        EXPECT_EQ(keep(space, work), QString());
        EXPECT_EQ(files().size(), 1) << "the newer replaces the older";
    }
    Workspace space;
    StoredSessions work(space.sessions, kept());
    ASSERT_TRUE(knows(work));
    ASSERT_EQ(work.entries().size(), 1);
    const StoredSessions::Entry entry = work.entries().front();
    EXPECT_EQ(entry.name(), QStringLiteral("a.tif"));
    EXPECT_EQ(entry.image, pathOf("a.tif"));
    EXPECT_EQ(entry.summary, QStringLiteral("a filter of 1 criterion"));
    ASSERT_NE(work.entryOf(pathOf("a.tif")), nullptr);
    ASSERT_TRUE(resume(space, work, entry.path));
    EXPECT_EQ(space.filter.minimum(), 9);
    EXPECT_TRUE(space.sessions.isModified()) << "it is in no file that a person chose";
    EXPECT_EQ(space.sessions.path(), QString());
    EXPECT_TRUE(work.entries().isEmpty());
    EXPECT_EQ(files().size(), 1) << "it is still there if the program crashes now";
    EXPECT_EQ(keep(space, work), QString());
    EXPECT_EQ(work.own(), entry.path);
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    EXPECT_TRUE(eventually([&] { return files().isEmpty(); }));
}

TEST_F(Kept, StaysForOthersWhenAnotherImageIsOpened) {
    Workspace space;
    StoredSessions work(space.sessions, kept());
    ASSERT_TRUE(begin(space, "a.tif"));
    EXPECT_EQ(keep(space, work), QString());
    ASSERT_TRUE(space.open(writeImage("b.tif", 2)));
    EXPECT_EQ(work.own(), QString());
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 1; }));
    ASSERT_TRUE(space.save(pathOf("b.pollard")));
    EXPECT_EQ(files().size(), 1) << "that of another image";
    work.discard(work.entries().front().path);
    EXPECT_TRUE(files().isEmpty());
    EXPECT_TRUE(work.entries().isEmpty());
}

TEST_F(Kept, IsContinuedByOneProgramAtATime) {
    Workspace first;
    StoredSessions mine(first.sessions, kept());
    ASSERT_TRUE(begin(first, "a.tif"));
    EXPECT_EQ(keep(first, mine), QString());
    Workspace second;
    StoredSessions theirs(second.sessions, kept());
    ASSERT_TRUE(knows(theirs));
    EXPECT_TRUE(theirs.entries().isEmpty()) << "the first goes on with it";
    QSignalSpy failed(&theirs, &StoredSessions::failed);
    theirs.resume(mine.own());
    EXPECT_EQ(failed.size(), 1);
    theirs.discard(mine.own());
    EXPECT_EQ(files().size(), 1);
    // Its own work on the same image is kept in a further file.
    ASSERT_TRUE(second.open(pathOf("a.tif")));
    second.filter.setMinimum(3);
    EXPECT_EQ(keep(second, theirs), QString());
    EXPECT_EQ(files().size(), 2);
    EXPECT_NE(theirs.own(), mine.own());
}

TEST_F(Kept, IsPrunedByNumberAndAge) {
    ASSERT_TRUE(QDir().mkpath(kept()));
    Workspace space;
    ASSERT_TRUE(begin(space, "a.tif"));
    const QString model = pathOf("model.pollard");
    ASSERT_TRUE(space.save(model));
    const auto leave = [&](int number, qint64 seconds) {
        const QString path =
            QDir(kept()).filePath(QStringLiteral("kept-%1.pollard").arg(number, 16, 16, QLatin1Char('0')));
        EXPECT_TRUE(QFile::copy(model, path));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadWrite));
        EXPECT_TRUE(
            file.setFileTime(QDateTime::currentDateTime().addSecs(-seconds), QFileDevice::FileModificationTime));
        return QFileInfo(path).fileName();
    };
    constexpr qint64 kDay = 86400;
    const QString young = leave(1, StoredSessions::kMostDays * kDay - 3600);
    const QString old = leave(2, StoredSessions::kMostDays * kDay + 3600);
    {
        StoredSessions work(space.sessions, kept());
        ASSERT_TRUE(knows(work));
        EXPECT_TRUE(files().contains(young));
        EXPECT_FALSE(files().contains(old));
    }
    QStringList left{young};
    for (int number = 3; number < 3 + StoredSessions::kMostFiles; ++number) {
        left << leave(number, (20 - number) * 60);
    }
    StoredSessions work(space.sessions, kept());
    ASSERT_TRUE(knows(work));
    EXPECT_EQ(files().size(), StoredSessions::kMostFiles);
    EXPECT_EQ(work.entries().size(), StoredSessions::kMostFiles);
    EXPECT_FALSE(files().contains(young)) << "the oldest";
    EXPECT_EQ(QFileInfo(work.entries().front().path).fileName(), left.back()) << "the latest comes first";
    // One more file, and the oldest is deleted.
    space.filter.setMinimum(9);
    EXPECT_EQ(keep(space, work), QString());
    EXPECT_EQ(files().size(), StoredSessions::kMostFiles);
    EXPECT_FALSE(files().contains(left[1]));
    EXPECT_TRUE(QFile::exists(work.own()));
}

TEST_F(Kept, IsNoCrash) {
    {
        Workspace space;
        StoredSessions work(space.sessions, kept());
        ASSERT_TRUE(begin(space, "a.tif"));
        EXPECT_EQ(keep(space, work), QString());
    }
    Workspace space;
    const SessionAutosave autosave(space.sessions, kept());
    ASSERT_TRUE(eventually([&] { return !autosave.isLooking(); }));
    EXPECT_TRUE(autosave.found().isEmpty());
    EXPECT_EQ(files().size(), 1);
}

TEST_F(Kept, TellsWhyItCannotBeWritten) {
    QFile inTheWay(pathOf("file"));
    ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    Workspace space;
    StoredSessions work(space.sessions, pathOf("file/folder"));
    ASSERT_TRUE(begin(space, "a.tif"));
    EXPECT_FALSE(keep(space, work).isEmpty());
    EXPECT_EQ(work.own(), QString());
}

TEST_F(Kept, IsWrittenEvenIfTheProgramEndsAtOnce) {
    {
        Workspace space;
        StoredSessions work(space.sessions, kept());
        ASSERT_TRUE(begin(space, "a.tif"));
        work.keep(space.sessions.draft());
    }
    ASSERT_EQ(files().size(), 1);
    EXPECT_NO_THROW((void)loadSession(QDir(kept()).filePath(files().front()).toStdString()));
}

TEST_F(Kept, LeavesNothingBehindWhereNothingWasDone) {
    Workspace space;
    StoredSessions work(space.sessions, kept());
    LeaveViewModel leave(space.document, space.sessions, settings);
    leave.setKept(&work);
    EXPECT_TRUE(leave.isFree());
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    int gone = 0;
    leave.leave(&space.document, [&gone] { ++gone; });
    EXPECT_EQ(gone, 1) << "at once";
    leave.finish();
    ASSERT_TRUE(space.open(writeImage("b.tif", 2)));
    EXPECT_TRUE(files().isEmpty());
}

/// Modified work and the question about it.
class Leaving : public Kept {
protected:
    Workspace space;
    StoredSessions work{space.sessions, kept()};
    LeaveViewModel leave{space.document, space.sessions, settings};
    int gone = 0;
    QSignalSpy ended{&leave, &LeaveViewModel::ended};

    void SetUp() override {
        leave.setKept(&work);
        ASSERT_TRUE(begin(space, "a.tif"));
        ASSERT_FALSE(leave.isFree());
    }
    void ask() {
        leave.leave(&space.document, [this] { ++gone; });
    }
    [[nodiscard]] bool hasEnded() {
        return eventually([&] { return !ended.isEmpty(); });
    }
};

TEST_F(Leaving, AsksAndKeeps) {
    ask();
    EXPECT_TRUE(leave.isAsking());
    EXPECT_EQ(gone, 0);
    EXPECT_EQ(leave.question(), QStringLiteral("Keep your changes to a.tif?"));
    EXPECT_EQ(leave.details(), QStringLiteral("The work consists of a filter of 1 criterion."));
    leave.answer(Answer::keep);
    EXPECT_FALSE(leave.isAsking());
    EXPECT_EQ(gone, 0) << "not before it is written";
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(gone, 1);
    EXPECT_EQ(files().size(), 1);
    leave.finish();
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 1; })) << "another window can have it";
}

TEST_F(Leaving, SaysThatOlderWorkIsReplaced) {
    EXPECT_EQ(keep(space, work), QString());
    work.release();
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 1; }));
    space.filter.setRule(Rule::subtractive);
    ask();
    EXPECT_TRUE(leave.details().contains(QStringLiteral("It replaces the work kept on")))
        << leave.details().toStdString();
}

TEST_F(Leaving, SavesAndDiscardsAndCancels) {
    ask();
    leave.answer(Answer::cancel);
    EXPECT_EQ(gone, 0);
    EXPECT_EQ(ended.takeFirst().front().toBool(), false);
    leave.answer(Answer::discard);
    EXPECT_EQ(gone, 0) << "nothing was asked";
    ask();
    leave.answer(Answer::save, pathOf("no such folder/a.pollard"));
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(ended.takeFirst().front().toBool(), false);
    EXPECT_EQ(gone, 0) << "work that is not saved is not left";
    EXPECT_TRUE(space.sessions.isModified());
    ask();
    leave.answer(Answer::save, pathOf("a.pollard"));
    EXPECT_EQ(gone, 0);
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(gone, 1);
    EXPECT_NO_THROW((void)loadSession(pathOf("a.pollard").toStdString()));
    space.filter.setMinimum(12);
    EXPECT_EQ(keep(space, work), QString());
    ask();
    leave.answer(Answer::discard);
    EXPECT_EQ(gone, 2);
    EXPECT_TRUE(eventually([&] { return files().isEmpty(); }));
}

TEST_F(Leaving, KeepsWithoutAQuestionWhereNoneIsWanted) {
    settings.setAskingAboutWork(false);
    ask();
    EXPECT_FALSE(leave.isAsking());
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(gone, 1);
    EXPECT_EQ(files().size(), 1);
}

TEST_F(Leaving, KeepsWithoutAQuestionAtASignal) {
    ask();
    leave.leaveKept(&space.document, [this] { gone += 10; });
    EXPECT_FALSE(leave.isAsking());
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(gone, 10) << "in place of the action that was asked about";
    EXPECT_EQ(files().size(), 1);
}

TEST_F(Leaving, KeepsWhatIsDoneWhileItIsWritten) {
    ask();
    QSignalSpy asking(&leave, &LeaveViewModel::askingChanged);
    leave.answer(Answer::keep);
    space.filter.setMinimum(13);
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(asking.size(), 1) << "the answer holds for the later change, too";
    EXPECT_FALSE(leave.isAsking());
    EXPECT_EQ(gone, 1);
    ASSERT_EQ(files().size(), 1);
    const SavedSession session = loadSession(QDir(kept()).filePath(files().front()).toStdString());
    EXPECT_EQ(session.filter.criteria.entries.front().chosen.at(AttributeId::area).minimum, 13);
}

TEST_F(Leaving, StaysWhereNothingCanBeWritten) {
    QFile inTheWay(pathOf("file"));
    ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    StoredSessions nowhere(space.sessions, pathOf("file/folder"));
    leave.setKept(&nowhere);
    QSignalSpy failed(&leave, &LeaveViewModel::failed);
    ask();
    leave.answer(Answer::keep);
    ASSERT_TRUE(hasEnded());
    EXPECT_EQ(failed.size(), 1);
    EXPECT_EQ(gone, 0);
}

TEST_F(Leaving, PilesUpNothingIfTheOtherImageCannotBeOpened) {
    const auto openBad = [&] {
        QSignalSpy failed(&space.document.activity(), &DocumentActivity::errorOccurred);
        leave.leave(&space.document, [&] { space.document.open(pathOf("none.tif")); });
        EXPECT_TRUE(leave.isAsking());
        leave.answer(Answer::keep);
        ASSERT_TRUE(eventually([&] { return !failed.isEmpty(); }));
        ASSERT_TRUE(space.rests());
    };
    for (int i = 0; i < 3; ++i) {
        openBad();
        EXPECT_EQ(files().size(), 1);
        ASSERT_TRUE(knows(work));
        EXPECT_TRUE(work.entries().isEmpty()) << "that work is in the window";
    }
    EXPECT_EQ(space.document.path(), pathOf("a.tif"));
    EXPECT_EQ(space.filter.minimum(), 7);
    EXPECT_TRUE(space.sessions.isModified());
    while (space.history.stack().canUndo()) {
        space.history.undo();
    }
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(leave.isFree());
    leave.finish();
    EXPECT_TRUE(eventually([&] { return files().isEmpty(); })) << "nothing is left to keep";
}

TEST_F(Leaving, KeepsWhatIsDoneWhileAnotherImageIsOnItsWay) {
    const QString other = writeImage("b.tif", 2);
    leave.leave(&space.document, [&] {
        space.document.open(other);
        space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}}); // while it is being read
    });
    leave.answer(Answer::discard);
    ASSERT_TRUE(eventually([&] { return space.document.path() == other; }));
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 1; }));
    EXPECT_EQ(work.entries().front().image, pathOf("a.tif"));
    EXPECT_TRUE(work.entries().front().summary.contains(QStringLiteral("1 region")));
}

TEST_F(Leaving, KeepsWorkThatIsLeftInAnyOtherWay) {
    ASSERT_TRUE(space.open(writeImage("b.tif", 2)));
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 1; }));
    space.filter.setMinimum(11);
    space.document.close();
    ASSERT_TRUE(eventually([&] { return work.entries().size() == 2; }));
    // Another reading of the same file loses no work.
    ASSERT_TRUE(space.open(pathOf("b.tif")));
    space.filter.setMinimum(12);
    space.document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(files().size(), 2);
    EXPECT_EQ(space.filter.minimum(), 12);
}

TEST_F(Leaving, DiscardsOnlyWhatItWasAskedAbout) {
    leave.leave(&space.document, [&] { space.document.open(pathOf("b.tif")); });
    std::ignore = writeImage("b.tif", 2);
    leave.answer(Answer::discard);
    ASSERT_TRUE(eventually([&] { return space.document.path() == pathOf("b.tif"); }));
    ASSERT_TRUE(knows(work));
    EXPECT_TRUE(files().isEmpty());
}

} // namespace
} // namespace pollard::vm

// Sessions of a window: the work is restored exactly, and a session that cannot be opened changes nothing.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <numeric>
#include <string>
#include <tuple>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;
using testing::Workspace;

class Sessions : public ::testing::Test {
protected:
    QTemporaryDir folder;

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString writeImage(const char* name, std::uint32_t seed = 1) const {
        const auto image = discs(60, 48, {{20, 20, 9}, {42, 30, 8}}, seed);
        writeTiff(pathOf(name).toStdString(), *image, {.compression = TiffCompression::none});
        return pathOf(name);
    }
    [[nodiscard]] QString writeStack(const char* name, int pages) const {
        writeTiff(pathOf(name).toStdString(),
                  {pages,
                   [](int page, const JobControl&) {
                       return Plane{
                           ownedRows(discs(60, 48, {{20.0 + 3 * page, 20, 9}}, static_cast<std::uint32_t>(page + 1)))};
                   }},
                  {.arePages = true});
        return pathOf(name);
    }
    [[nodiscard]] static QByteArray bytesOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const char* name, const QByteArray& bytes) const {
        QFile file(pathOf(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    /// The visible state of a workspace.
    struct Seen {
        std::vector<std::uint16_t> image;
        FilterViewModel::State filter;
        TreeStep tree;
        RegionViewModel::State region;
        NodeSet selected;
        std::vector<std::pair<QString, NodeSet>> named;
        ObjectSettings objects;
        std::vector<std::uint8_t> removed;
        std::vector<std::vector<Contour>> contours; ///< the shown state of every run, then all of the current one
        ContourChoice choice;
        std::vector<double> view;

        bool operator==(const Seen&) const = default;
    };
    [[nodiscard]] static Seen seen(const Workspace& space) {
        Seen now;
        const Image& result = *space.document.result();
        for (std::size_t p = 0; p < result.pixelCount(); ++p) {
            now.image.push_back(result.level(p));
        }
        now.filter = space.filter.state();
        now.tree = {space.document.choices().treeKind(), space.document.choices().connectivity()};
        now.region = space.region.state();
        now.region.selected = -1;
        now.selected = *space.selection.nodes();
        for (int row = 0; row < space.selection.rowCount(); ++row) {
            now.named.emplace_back(space.selection.nameAt(row), *space.selection.nodesAt(row));
        }
        now.objects = space.objects.settings();
        const auto removed = space.table.marks().removed();
        now.removed = removed ? *removed : std::vector<std::uint8_t>{};
        for (const ContourRun& run : space.contours.runs().all()) {
            now.contours.push_back(run.record.allNodes(run.shown));
        }
        if (const ContourRun* run = space.contours.runs().currentRun()) {
            for (int state = 0; state < run->record.count(); ++state) {
                now.contours.push_back(run->record.allNodes(state));
            }
        }
        now.choice = {space.contours.settings().spec(), space.contours.settings().engine()};
        now.view = {space.display.windowLow(),
                    space.display.windowHigh(),
                    space.display.gamma(),
                    static_cast<double>(space.display.toneCurve()),
                    static_cast<double>(space.display.colourMap()),
                    static_cast<double>(space.display.compare().mode()),
                    space.display.splitPosition()};
        return now;
    }

    /// Makes every kind of edit.
    static void work(Workspace& space) {
        space.objects.setActive(true);
        space.document.choices().setTreeKind(TreeKind::min);
        ASSERT_TRUE(space.rests());
        space.filter.setRange(3, 200);
        space.filter.criteria().add(AttributeId::height);
        space.filter.setMinimum(4);
        space.filter.criteria().setEnabled(0, false);
        space.filter.setRule(Rule::subtractive);
        space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
        ASSERT_TRUE(space.rests());
        space.filter.picks().pick(space.document.tree()->canonical[3], PicksModel::PickEffect::removed);
        space.selection.select({1, 5, 9});
        space.selection.store(QStringLiteral("three of them"));
        space.selection.select({2});
        space.objects.setLevels(90, 255);
        space.objects.setOption(&ObjectRule::fillHoles, true);
        space.objects.setOption(&ObjectRule::withoutBorder, true);
        space.objects.setSplit(SplitBy::brightness);
        space.objects.channels().setChoice({.all = true, .channels = {}});
        ASSERT_TRUE(space.rests());
        space.objects.setLook({0.25, true, HierarchyDrawing::means});
        space.table.marks().remove(std::vector<std::uint32_t>{1});
        space.contours.setActive(true);
        space.contours.startFrom({squareAround(20, 20, 4), squareAround(42, 30, 4)}, QStringLiteral("two squares"));
        ASSERT_TRUE(space.rests());
        space.contours.playback().toEnd();
        ASSERT_TRUE(space.rests());
        ASSERT_GT(space.contours.runs().stateCount(), 6);
        space.contours.playback().scrub(2);
        SnakeSpec spec = space.contours.settings().spec();
        spec.minLength = 5;
        space.contours.settings().setSpec(spec); // another run, from the shown state
        ASSERT_TRUE(space.rests());
        for (int i = 0; i < 5; ++i) {
            space.contours.playback().stepForward();
            ASSERT_TRUE(space.rests());
        }
        space.contours.playback().stepBack();
        space.contours.runs().setContour(1);
        space.contours.runs().setCompared(0, true);
        space.display.setWindow(20, 180);
        space.display.setToneCurve(ToneCurve::gamma);
        space.display.setGamma(0.7);
        space.display.setColourMap(ColourMap::magma);
        space.display.setSplitEnabled(true);
        space.display.setSplitPosition(0.25);
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(Sessions, BringBackEverythingAsItWas) {
    const QString image = writeImage("a.tif");
    const QString session = pathOf("a.pollard");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    work(first);
    const Seen before = seen(first);
    ASSERT_FALSE(before.selected.empty());
    ASSERT_FALSE(before.removed.empty());
    ASSERT_EQ(first.contours.runs().all().size(), 2U);
    ASSERT_TRUE(first.save(session));
    EXPECT_EQ(first.sessions.path(), session);

    Workspace second;
    second.objects.setActive(true);
    ASSERT_TRUE(second.openSession(session));
    ASSERT_TRUE(eventually([&] { return second.table.marks().removedCount() > 0; }));
    EXPECT_EQ(second.sessions.path(), session);
    EXPECT_TRUE(first.contours.settings().isLawAutomatic());
    EXPECT_FALSE(second.contours.settings().isLawAutomatic()) << "contours of a session keep their law";
    const Seen after = seen(second);
    EXPECT_EQ(after.image, before.image);
    EXPECT_EQ(after.filter, before.filter);
    EXPECT_EQ(after.region, before.region);
    EXPECT_EQ(after.selected, before.selected);
    EXPECT_EQ(after.named, before.named);
    EXPECT_EQ(after.contours, before.contours);
    EXPECT_EQ(after.view, before.view);
    EXPECT_EQ(after, before);
    EXPECT_EQ(second.objects.look(), (ObjectsLook{0.25, true, HierarchyDrawing::means}));
    EXPECT_FALSE(second.sessions.isModified());
    second.objects.setOpacity(0.5);
    EXPECT_TRUE(second.sessions.isModified());
    EXPECT_EQ(second.contours.runs().shown(), first.contours.runs().shown());
    EXPECT_EQ(second.contours.runs().contour(), 1);
    EXPECT_EQ(second.contours.runs().nameOf(1), first.contours.runs().nameOf(1));
    EXPECT_EQ(second.history.stack().count(), 0);

    // Contours continue in the same way.
    for (Workspace* space : {&first, &second}) {
        space->contours.playback().toEnd();
        ASSERT_TRUE(space->rests());
    }
    EXPECT_EQ(second.contours.runs().allNodes(), first.contours.runs().allNodes());

    // Back to the session in the window with later changes.
    first.filter.reset();
    first.region.clear();
    first.document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(first.rests());
    ASSERT_NE(seen(first), before);
    ASSERT_TRUE(first.openSession(session));
    ASSERT_TRUE(eventually([&] { return first.table.marks().removedCount() > 0; }));
    EXPECT_EQ(seen(first), before);
}

TEST_F(Sessions, SaveLoadSaveIsByteForByteTheSame) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    work(first);
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    const QByteArray written = bytesOf(pathOf("a.pollard"));
    ASSERT_FALSE(written.isEmpty());

    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    ASSERT_TRUE(second.save(pathOf("b.pollard")));
    EXPECT_EQ(bytesOf(pathOf("b.pollard")), written);
    // Also over another open image with displayed objects.
    Workspace third;
    third.objects.setActive(true);
    ASSERT_TRUE(third.open(writeImage("other.tif", 8)));
    work(third);
    ASSERT_TRUE(third.openSession(pathOf("a.pollard")));
    ASSERT_TRUE(eventually([&] { return third.table.marks().removedCount() > 0; }));
    ASSERT_TRUE(third.save(pathOf("c.pollard")));
    EXPECT_EQ(bytesOf(pathOf("c.pollard")), written);
    EXPECT_TRUE(written.contains("\"look\""));
    // The default look of objects is not written, and a session without a look has it.
    third.objects.setLook({});
    ASSERT_TRUE(third.save(pathOf("d.pollard")));
    EXPECT_FALSE(bytesOf(pathOf("d.pollard")).contains("\"look\""));
    ASSERT_TRUE(second.openSession(pathOf("d.pollard")));
    EXPECT_EQ(second.objects.look(), ObjectsLook{});
}

TEST_F(Sessions, FindAnImageThatMovedWithThem) {
    ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("old/pictures")));
    writeTiff(pathOf("old/pictures/a.tif").toStdString(), *discs(60, 48, {{20, 20, 9}}));
    Workspace first;
    ASSERT_TRUE(first.open(pathOf("old/pictures/a.tif")));
    first.filter.setMinimum(7);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("old/a.pollard")));

    ASSERT_TRUE(QDir(folder.path()).rename(QStringLiteral("old"), QStringLiteral("new")));
    Workspace second;
    QSignalSpy noticed(&second.sessions, &SessionViewModel::noticeRaised);
    ASSERT_TRUE(second.openSession(pathOf("new/a.pollard")));
    EXPECT_EQ(second.document.path(), pathOf("new/pictures/a.tif"));
    EXPECT_EQ(second.filter.minimum(), 7);
    EXPECT_TRUE(noticed.isEmpty());

    // Beside the session, under its own name.
    ASSERT_TRUE(QFile::rename(pathOf("new/pictures/a.tif"), pathOf("new/a.tif")));
    Workspace third;
    ASSERT_TRUE(third.openSession(pathOf("new/a.pollard")));
    EXPECT_EQ(third.document.path(), pathOf("new/a.tif"));
}

TEST_F(Sessions, PreferTheImageWithTheRightContent) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("elsewhere")));
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    ASSERT_TRUE(QFile::rename(pathOf("a.pollard"), pathOf("elsewhere/a.pollard")));
    writeTiff(pathOf("elsewhere/a.tif").toStdString(), *discs(60, 48, {{30, 30, 5}}, 99));
    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("elsewhere/a.pollard")));
    EXPECT_EQ(second.document.path(), image);
    // Without this file the other image is opened, with a notice.
    ASSERT_TRUE(QFile::remove(image));
    Workspace third;
    QSignalSpy noticed(&third.sessions, &SessionViewModel::noticeRaised);
    ASSERT_TRUE(third.openSession(pathOf("elsewhere/a.pollard")));
    EXPECT_EQ(third.document.path(), pathOf("elsewhere/a.tif"));
    EXPECT_EQ(noticed.size(), 1);
}

TEST_F(Sessions, AskWhereAMissingImageIs) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    first.filter.setMinimum(7);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    ASSERT_TRUE(QFile::rename(image, pathOf("renamed.tif")));

    Workspace second;
    ASSERT_TRUE(second.open(writeImage("other.tif", 3)));
    second.filter.setMinimum(11);
    ASSERT_TRUE(second.rests());
    const Seen before = seen(second);
    QSignalSpy missing(&second.sessions, &SessionViewModel::imageMissing);
    second.sessions.open(pathOf("a.pollard"));
    ASSERT_TRUE(eventually([&] { return missing.size() == 1; }));
    EXPECT_EQ(missing.front().front().toString(), image);
    EXPECT_EQ(seen(second), before);
    // After a wrong answer the signal is repeated.
    second.sessions.locate(pathOf("none.tif"));
    ASSERT_TRUE(eventually([&] { return missing.size() == 2; }));
    EXPECT_EQ(seen(second), before);
    QSignalSpy opened(&second.sessions, &SessionViewModel::opened);
    second.sessions.locate(pathOf("renamed.tif"));
    ASSERT_TRUE(eventually([&] { return opened.size() == 1; }));
    ASSERT_TRUE(second.rests());
    EXPECT_EQ(second.document.path(), pathOf("renamed.tif"));
    EXPECT_EQ(second.filter.minimum(), 7);
    // The file of the session names the new place.
    Workspace third;
    QSignalSpy again(&third.sessions, &SessionViewModel::imageMissing);
    ASSERT_TRUE(third.openSession(pathOf("a.pollard")));
    EXPECT_EQ(again.size(), 0);
    EXPECT_EQ(third.document.path(), pathOf("renamed.tif"));
    EXPECT_EQ(third.filter.minimum(), 7);
}

TEST_F(Sessions, DoNotOverwriteChangesOfAnotherWindow) {
    Workspace first;
    ASSERT_TRUE(first.open(writeImage("a.tif")));
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    ASSERT_TRUE(first.save(pathOf("a.pollard"))) << "its own change is none";
    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    second.filter.setMinimum(300);
    ASSERT_TRUE(second.rests());
    ASSERT_TRUE(second.save(pathOf("a.pollard")));
    const QByteArray saved = bytesOf(pathOf("a.pollard"));

    first.filter.setMinimum(40);
    ASSERT_TRUE(first.rests());
    QSignalSpy changed(&first.sessions, &SessionViewModel::changedOutside);
    QSignalSpy wrote(&first.sessions, &SessionViewModel::saved);
    first.sessions.save();
    ASSERT_TRUE(eventually([&] { return changed.size() == 1; }));
    EXPECT_EQ(changed.front().front().toString(), pathOf("a.pollard"));
    EXPECT_EQ(wrote.size(), 0);
    EXPECT_TRUE(first.sessions.isModified());
    EXPECT_EQ(bytesOf(pathOf("a.pollard")), saved);
    first.sessions.save(pathOf("b.pollard"));
    ASSERT_TRUE(eventually([&] { return wrote.size() == 1; }));
    EXPECT_EQ(bytesOf(pathOf("a.pollard")), saved);

    second.filter.setMinimum(301);
    ASSERT_TRUE(second.rests());
    ASSERT_TRUE(QFile::remove(pathOf("a.pollard")));
    ASSERT_TRUE(QFile::copy(pathOf("b.pollard"), pathOf("a.pollard")));
    QSignalSpy told(&second.sessions, &SessionViewModel::changedOutside);
    second.sessions.save();
    ASSERT_TRUE(eventually([&] { return told.size() == 1; }));
    QSignalSpy overwrote(&second.sessions, &SessionViewModel::saved);
    second.sessions.overwrite();
    ASSERT_TRUE(eventually([&] { return overwrote.size() == 1; }));
    Workspace third;
    ASSERT_TRUE(third.openSession(pathOf("a.pollard")));
    EXPECT_EQ(third.filter.minimum(), 301);
}

TEST_F(Sessions, ForgetAMissingImageWithTheNextSession) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    ASSERT_TRUE(first.open(writeImage("b.tif", 3)));
    ASSERT_TRUE(first.save(pathOf("b.pollard")));
    ASSERT_TRUE(QFile::rename(image, pathOf("renamed.tif")));
    Workspace second;
    QSignalSpy missing(&second.sessions, &SessionViewModel::imageMissing);
    second.sessions.open(pathOf("a.pollard"));
    ASSERT_TRUE(eventually([&] { return missing.size() == 1; }));
    ASSERT_TRUE(second.openSession(pathOf("b.pollard")));
    second.sessions.locate(pathOf("renamed.tif")); // a late answer
    EXPECT_FALSE(second.sessions.isOpening());
    ASSERT_TRUE(second.rests());
    EXPECT_EQ(second.document.path(), pathOf("b.tif"));
    EXPECT_EQ(second.sessions.path(), pathOf("b.pollard"));
}

TEST_F(Sessions, OfStrangersEndInOneErrorAndChangeNothing) {
    const QString image = writeImage("a.tif");
    Workspace space;
    ASSERT_TRUE(space.open(image));
    work(space);
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    const QByteArray good = bytesOf(pathOf("a.pollard"));
    const Seen before = seen(space);
    const int entries = space.history.stack().count();
    const auto with = [&good](const char* from, const char* to) {
        EXPECT_TRUE(good.contains(from)) << from;
        return QByteArray(good).replace(from, to);
    };
    const std::vector<QByteArray> bad{
        {},
        "\x89PNG",
        good.left(good.size() / 2),
        with("\"pollard_session\": 1", "\"pollard_session\": 1000000"),
        with("\"curve\": \"gamma\"", "\"curve\": \"spiral\""),
        with("\"map\": \"magma\"", "\"map\": \"\""),
        with("\"compare\": \"split\"", "\"compare\": \"fight\""),
        with("\"gamma\": 0.7", "\"gamma\": 7e200"),
        with("\"max_level\": 255", "\"max_level\": 3"),
        with("\"relative\": \"a.tif\"", "\"relative\": \"b/../../a.tif\""),
        with("\"page\": 0", "\"page\": -1"),
        with("\"min_length\": 5", "\"min_length\": 1e400"),
    };
    for (const QByteArray& bytes : bad) {
        write("bad.pollard", bytes);
        QSignalSpy failed(&space.sessions, &SessionViewModel::failed);
        space.sessions.open(pathOf("bad.pollard"));
        ASSERT_TRUE(eventually([&] { return failed.size() == 1; })) << bytes.left(200).constData();
        EXPECT_THAT(failed.front().at(1).toString().toStdString(), ::testing::HasSubstr("bad.pollard"));
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(seen(space), before);
        EXPECT_EQ(space.history.stack().count(), entries);
        EXPECT_EQ(space.sessions.path(), pathOf("a.pollard"));
    }
    QSignalSpy failed(&space.sessions, &SessionViewModel::failed);
    space.sessions.open(pathOf("none.pollard"));
    ASSERT_TRUE(eventually([&] { return failed.size() == 1; }));
    EXPECT_EQ(seen(space), before);
}

TEST_F(Sessions, OfAnImageThatCannotBeOpenedChangeNothing) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    first.filter.setMinimum(7);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    write("a.tif", "no image at all");

    Workspace second;
    const QString other = writeImage("other.tif", 3);
    ASSERT_TRUE(second.open(other));
    second.filter.setMinimum(11);
    ASSERT_TRUE(second.rests());
    const Seen before = seen(second);
    QSignalSpy failed(&second.document.activity(), &DocumentActivity::errorOccurred);
    second.sessions.open(pathOf("a.pollard"));
    ASSERT_TRUE(eventually([&] { return failed.size() == 1; }));
    ASSERT_TRUE(second.rests());
    EXPECT_EQ(seen(second), before);
    EXPECT_FALSE(second.sessions.isOpening());
    // An image opened by hand instead is not mixed with the session.
    std::ignore = writeImage("a.tif");
    ASSERT_TRUE(second.open(image));
    EXPECT_EQ(second.filter.minimum(), 11);
    EXPECT_EQ(second.sessions.path(), QString());
}

TEST_F(Sessions, KnowNothingOfPixelsThatAnotherImageDoesNotHave) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    first.objects.setSource(StepImage::original); // two objects; the other image has one
    work(first);
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    writeTiff(image.toStdString(), *discs(9, 7, {{4, 4, 2}}), {.compression = TiffCompression::none});
    Workspace second;
    second.objects.setActive(true);
    QSignalSpy noticed(&second.sessions, &SessionViewModel::noticeRaised);
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    EXPECT_EQ(noticed.size(), 1);
    EXPECT_EQ(second.filter.state().rule, Rule::subtractive);
    for (const std::uint32_t node : *second.selection.nodes()) {
        EXPECT_LT(node, second.document.tree()->nodeCount());
    }
    EXPECT_TRUE(second.contours.runs().all().empty());
    EXPECT_FALSE(second.contours.runs().problem().isEmpty());
    EXPECT_EQ(second.table.marks().removed(), nullptr);
}

TEST_F(Sessions, BringContoursOfOtherPagesBackWhenTheyAreShown) {
    const QString stack = writeStack("stack.tif", 3);
    Workspace first;
    ASSERT_TRUE(first.open(stack));
    first.contours.setActive(true);
    first.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(first.rests());
    first.contours.playback().toEnd();
    ASSERT_TRUE(first.rests());
    const std::vector<Contour> onFirst = first.contours.runs().allNodes();
    first.document.reading().setPage(2);
    ASSERT_TRUE(first.rests());
    first.contours.startFrom({squareAround(26, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));

    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    EXPECT_EQ(second.document.page(), 2);
    EXPECT_EQ(second.contours.runs().stateCount(), 1);
    // Pending data are saved unchanged.
    ASSERT_TRUE(second.save(pathOf("b.pollard")));
    EXPECT_EQ(bytesOf(pathOf("b.pollard")), bytesOf(pathOf("a.pollard")));
    second.document.reading().setPage(0);
    ASSERT_TRUE(second.rests());
    EXPECT_EQ(second.contours.runs().allNodes(), onFirst);
    EXPECT_TRUE(second.contours.runs().isFinished());
    second.document.reading().setPage(2);
    ASSERT_TRUE(second.rests());
    EXPECT_EQ(second.contours.runs().stateCount(), 1);
    ASSERT_TRUE(second.save(pathOf("b.pollard")));
    EXPECT_EQ(bytesOf(pathOf("b.pollard")), bytesOf(pathOf("a.pollard")));
}

TEST_F(Sessions, ForgetTheirFileWithTheirImage) {
    Workspace space;
    EXPECT_FALSE(space.sessions.canSave());
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    EXPECT_TRUE(space.sessions.canSave());
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    EXPECT_EQ(space.sessions.path(), pathOf("a.pollard"));
    ASSERT_TRUE(space.open(writeImage("b.tif", 2)));
    EXPECT_EQ(space.sessions.path(), QString());
    EXPECT_FALSE(space.save(pathOf("no such folder/a.pollard")));
    space.document.close();
    EXPECT_FALSE(space.sessions.canSave());
}

TEST_F(Sessions, AreWrittenEvenIfTheProgramEndsAtOnce) {
    {
        Workspace space;
        ASSERT_TRUE(space.open(writeImage("a.tif")));
        space.filter.setMinimum(7);
        ASSERT_TRUE(space.rests());
        for (const char* name : {"a.pollard", "b.pollard", "c.pollard"}) {
            space.sessions.save(pathOf(name));
        }
    }
    for (const char* name : {"a.pollard", "b.pollard", "c.pollard"}) {
        EXPECT_NO_THROW((void)loadSession(pathOf(name).toStdString())) << name;
    }
}

/// The present contours as saved.
SessionContours contoursOf(const Workspace& space) { return finished(space.contours.session().draft(), JobControl()); }

/// Every other pixel of a part of the image.
std::shared_ptr<const Mask> chequered(std::uint32_t width, std::uint32_t height) {
    auto mask = std::make_shared<Mask>(width, height, false);
    for (std::uint32_t y = 0; y < height / 4; ++y) {
        for (std::uint32_t x = y % 2; x < width; x += 2) {
            mask->set(x, y, true);
        }
    }
    return mask;
}

TEST_F(Sessions, AreDraftedWithoutALookAtAPixelOfTheirMasks) {
    Workspace space;
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    const auto mask = chequered(60, 48);
    space.contours.settings().forbidden().set(mask);
    space.contours.startFrom({squareAround(20, 24, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(space.rests());
    const ContoursDraft draft = space.contours.session().draft();
    EXPECT_TRUE(draft.contours.masks.empty()) << "made on the worker";
    ASSERT_EQ(draft.masks.size(), 1U) << "that of the next run and that of the run at hand are one";
    EXPECT_EQ(draft.masks.front(), ContoursDraft::DraftMask(mask));
    const SessionContours made = finished(draft, JobControl());
    ASSERT_EQ(made.masks.size(), 1U);
    EXPECT_EQ(made.masks.front().mask(), *mask);
    EXPECT_EQ(made.forbidden, 0U);
    EXPECT_EQ(made.runs.front().forbidden, 0U);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THROW((void)finished(draft, JobControl(stopped.get_token())), Cancelled);
}

TEST_F(Sessions, BringTheForbiddenAreaBackAndHoldItMeanwhile) {
    Workspace first;
    ASSERT_TRUE(first.open(writeImage("a.tif")));
    const auto mask = chequered(60, 48);
    first.contours.startFrom({squareAround(20, 24, 4)}, QStringLiteral("square")); // a run without a forbidden area
    ASSERT_TRUE(first.rests());
    first.contours.playback().toEnd();
    ASSERT_TRUE(first.rests());
    first.contours.settings().forbidden().set(mask);
    ASSERT_TRUE(first.rests());
    first.contours.selectRun(0);
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    first.contours.selectRun(1);
    ASSERT_TRUE(first.save(pathOf("b.pollard")));
    for (const char* name : {"a.pollard", "b.pollard"}) {
        const SessionContours saved = loadSession(pathOf(name).toStdString()).contours;
        Workspace second;
        std::optional<SessionContours> meanwhile;
        QObject::connect(&second.sessions, &SessionViewModel::opened, &second.document,
                         [&] { meanwhile = contoursOf(second); });
        ASSERT_TRUE(second.openSession(pathOf(name)));
        ASSERT_TRUE(meanwhile);
        EXPECT_EQ(*meanwhile, saved) << name << ": a crash right then loses nothing";
        EXPECT_EQ(contoursOf(second), saved) << name;
        const auto shown = second.contours.settings().forbidden().mask();
        EXPECT_EQ(shown ? *shown == *mask : !saved.forbidden, true) << name;
    }
}

TEST_F(Sessions, KeepRunsThatCannotBeMadeAgain) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    first.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    SavedSession session = loadSession(pathOf("a.pollard").toStdString());
    session.contours.masks = {{10, 10, {0, 100}}}; // of another image
    SessionRun other = session.contours.runs.front();
    other.id = 2;
    other.forbidden = 0;
    session.contours.runs.push_back(other);
    SessionRun outside = other; // outside the image
    outside.id = 3;
    outside.forbidden.reset();
    outside.starts = {squareAround(400, 20, 4)};
    outside.last = outside.starts;
    session.contours.runs.push_back(outside);
    saveSession(session, pathOf("b.pollard").toStdString());

    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("b.pollard")));
    EXPECT_FALSE(second.contours.runs().problem().isEmpty()) << "it is told";
    ASSERT_EQ(second.contours.runs().all().size(), 1U);
    EXPECT_EQ(contoursOf(second), session.contours) << "and nothing is lost";
    // A new run gets a new number.
    second.contours.playback().toEnd();
    ASSERT_TRUE(second.rests());
    SnakeSpec spec = second.contours.settings().spec();
    spec.minLength = 5;
    second.contours.settings().setSpec(spec);
    ASSERT_TRUE(second.rests());
    ASSERT_EQ(second.contours.runs().all().size(), 2U);
    EXPECT_EQ(second.contours.runs().all().back().id, 4);
    EXPECT_EQ(contoursOf(second).runs.size(), 4U);
}

TEST_F(Sessions, OfAnImageThatIsDeclinedAreForgotten) {
    const QString image = writeImage("a.tif");
    Workspace first;
    ASSERT_TRUE(first.open(image));
    first.filter.setMinimum(7);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    for (const bool accepted : {false, true}) {
        Workspace second;
        second.document.reading().setAskAboutMemory(true);
        second.availableMemory = 1000;
        std::optional<OpenRequest> asked;
        QObject::connect(&second.document, &DocumentViewModel::decisionNeeded, &second.sessions,
                         [&](const MemoryPlan&, const OpenRequest& request) { asked = request; });
        second.sessions.open(pathOf("a.pollard"));
        ASSERT_TRUE(eventually([&] { return asked.has_value(); }));
        testing::settle();
        EXPECT_TRUE(second.sessions.isOpening()) << "it waits for the answer";
        EXPECT_FALSE(second.document.hasImage());
        if (accepted) {
            second.document.openAnyway(*asked);
            ASSERT_TRUE(second.rests());
        } else {
            second.sessions.forgetPending();
            EXPECT_FALSE(second.sessions.isOpening());
            second.availableMemory = std::uint64_t{1} << 50U;
            ASSERT_TRUE(second.open(image)); // the same image, by hand
        }
        EXPECT_EQ(second.filter.minimum() == 7, accepted);
        EXPECT_EQ(second.sessions.path(), accepted ? pathOf("a.pollard") : QString());
    }
}

TEST_F(Sessions, HoldThePartAndTheSizeThatWereOpened) {
    Workspace first;
    ASSERT_TRUE(first.open(writeImage("a.tif")));
    first.document.reading().setReadRegion(PixelRegion{4, 6, 40, 30});
    first.document.reading().setShrink(2);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    Workspace second;
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    EXPECT_EQ(second.document.request(), first.document.request());
    EXPECT_EQ(second.document.image()->width(), 20U);
}

} // namespace
} // namespace pollard::vm

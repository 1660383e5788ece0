// The modified state of the work on an image: every kind of change sets it, undoing and saving reset it, and automatic
// changes do not affect it.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include "vm/display/look_store.hpp"
#include "vm/session/leave_view_model.hpp"
#include "vm/session/session_draft.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <functional>
#include <string>
#include <vector>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;
using testing::Workspace;

class WorkModified : public ::testing::Test {
protected:
    QTemporaryDir folder;

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString writeImage(const char* name, std::uint32_t seed = 1) const {
        writeTiff(pathOf(name).toStdString(), *discs(60, 48, {{20, 20, 9}, {42, 30, 8}}, seed),
                  {.compression = TiffCompression::none});
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
    static void startContour(Workspace& space) {
        space.contours.setActive(true);
        space.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
    }
};

struct Change {
    const char* name;
    std::function<void(Workspace&)> make;
    bool undone = true; ///< reset by undo
    std::function<void(Workspace&)> before = {};
};

std::vector<Change> changes() {
    const auto activate = [](Workspace& space) { space.objects.setActive(true); };
    return {
        {"bound", [](Workspace& space) { space.filter.setMinimum(5); }},
        {"criterion",
         [](Workspace& space) {
             space.filter.criteria().add(AttributeId::height);
             space.filter.setMinimum(4);
         }},
        {"rule", [](Workspace& space) { space.filter.setRule(Rule::subtractive); }},
        {"output", [](Workspace& space) { space.filter.setOutput(Output::residue); }},
        {"pick",
         [](Workspace& space) {
             space.filter.picks().pick(space.document.tree()->canonical[3], PicksModel::PickEffect::removed);
         }},
        {"tree", [](Workspace& space) { space.document.choices().setTreeKind(TreeKind::min); }},
        {"connectivity", [](Workspace& space) { space.document.choices().setConnectivity(Connectivity::eight); }},
        {"region",
         [](Workspace& space) {
             space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
         }},
        {"selection",
         [](Workspace& space) {
             space.selection.select({1, 5, 9});
         }},
        {"named selection", [](Workspace& space) { space.selection.store(QStringLiteral("none")); }, false},
        {"dark objects", [](Workspace& space) { space.objects.setOption(&ObjectRule::dark, true); }},
        {"filled holes", [](Workspace& space) { space.objects.setOption(&ObjectRule::fillHoles, true); }},
        {"no objects at the border",
         [](Workspace& space) { space.objects.setOption(&ObjectRule::withoutBorder, true); }},
        {"split objects", [](Workspace& space) { space.objects.setSplit(SplitBy::shape); }},
        {"all channels", [](Workspace& space) { space.objects.channels().setChoice({.all = true, .channels = {}}); }},
        {"some channels",
         [](Workspace& space) { space.objects.channels().setChoice({.channels = {"b"}, .pairs = true, .ring = 2}); }},
        {"classes", [](Workspace& space) { space.objects.classes().add(QStringLiteral("area > 3")); }},
        {"pixel size",
         [](Workspace& space) {
             space.document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test"});
         }},
        {"levels", [](Workspace& space) { space.objects.setLevels(90, 255); }, true, activate},
        {"removed object", [](Workspace& space) { space.table.marks().remove(std::vector<std::uint32_t>{1}); }, true,
         activate},
        {"contour",
         [](Workspace& space) {
             space.contours.setActive(true);
             space.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
         },
         false},
        {"contour settings",
         [](Workspace& space) {
             SnakeSpec spec = space.contours.settings().spec();
             spec.minLength += 2;
             space.contours.settings().setSpec(spec);
         }},
        {"forbidden pixels",
         [](Workspace& space) {
             auto mask = std::make_shared<Mask>(60, 48, false);
             mask->set(3, 4, true);
             space.contours.settings().forbidden().set(mask);
         },
         false},
        {"window", [](Workspace& space) { space.display.setWindow(20, 180); }, false},
        {"tone curve", [](Workspace& space) { space.display.setToneCurve(ToneCurve::gamma); }, false},
        {"colours", [](Workspace& space) { space.display.setColourMap(ColourMap::magma); }, false},
        {"part of the file",
         [](Workspace& space) {
             space.document.reading().setReadRegion(PixelRegion{4, 4, 40, 30});
         }},
        {"shrunk", [](Workspace& space) { space.document.reading().setShrink(2); }},
    };
}

TEST_F(WorkModified, ByEveryKindOfChangeUntilItIsUndone) {
    const QString image = writeImage("a.tif");
    for (const Change& change : changes()) {
        SCOPED_TRACE(change.name);
        Workspace space;
        ASSERT_TRUE(space.open(image));
        if (change.before) {
            change.before(space);
            ASSERT_TRUE(space.rests());
        }
        EXPECT_FALSE(space.sessions.isModified());
        QSignalSpy told(&space.sessions, &SessionViewModel::modifiedChanged);
        change.make(space);
        EXPECT_TRUE(eventually([&] { return told.size() == 1; }));
        ASSERT_TRUE(space.rests());
        EXPECT_TRUE(space.sessions.isModified());
        EXPECT_EQ(told.size(), 1);
        if (change.undone) {
            while (space.history.stack().canUndo()) {
                space.history.undo();
                ASSERT_TRUE(space.rests());
            }
            EXPECT_TRUE(eventually([&] { return told.size() == 2; }));
            EXPECT_FALSE(space.sessions.isModified());
        }
    }
}

TEST_F(WorkModified, NotByWhatIsLookedAt) {
    Workspace space;
    ASSERT_TRUE(space.open(writeStack("stack.tif", 3)));
    QSignalSpy told(&space.sessions, &SessionViewModel::modifiedChanged);
    space.display.setZoom(3);
    space.display.setCentre({10, 10});
    space.display.setSplitEnabled(true);
    space.display.setSplitPosition(0.25);
    space.display.setImage(DisplayViewModel::Source::original);
    space.objects.setActive(true); // Otsu's levels follow
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    space.filter.criteria().setAttribute(0, AttributeId::height); // without a bound
    ASSERT_TRUE(eventually([&] { return space.filter.isAvailable(); }));
    space.filter.setMinimum(0);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.sessions.isModified());
    space.document.reading().setPage(0);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.sessions.isModified());
    EXPECT_TRUE(told.isEmpty());
}

TEST_F(WorkModified, NotByOpeningWhateverWasThereBefore) {
    Workspace space;
    space.filter.setMinimum(3); // like from the command line
    space.objects.setActive(true);
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    EXPECT_FALSE(space.sessions.isModified());
    space.filter.setMinimum(7);
    space.filter.picks().pick(space.document.tree()->canonical[3], PicksModel::PickEffect::removed);
    space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
    ASSERT_TRUE(space.rests());
    space.selection.select({1, 5});
    space.selection.store(QStringLiteral("two"));
    ASSERT_TRUE(space.rests());
    space.table.marks().remove(std::vector<std::uint32_t>{1});
    space.display.setGamma(0.5);
    startContour(space);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(space.sessions.isModified());
    ASSERT_TRUE(space.open(writeImage("b.tif", 2)));
    EXPECT_FALSE(space.sessions.isModified());
    EXPECT_EQ(space.filter.minimum(), 7) << "the filter goes on with the next image";
    space.filter.setMinimum(8);
    EXPECT_TRUE(space.sessions.isModified());
    space.document.close();
    EXPECT_FALSE(space.sessions.isModified()) << "there is no image";
}

TEST_F(WorkModified, UntilItIsSaved) {
    Workspace space;
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    space.filter.setMinimum(7);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    EXPECT_FALSE(space.sessions.isModified());
    space.filter.setMinimum(9);
    EXPECT_TRUE(space.sessions.isModified());
    space.filter.setMinimum(7);
    EXPECT_FALSE(space.sessions.isModified()) << "it is that of the file";
    // Changes during the write are not in the file.
    QSignalSpy saved(&space.sessions, &SessionViewModel::saved);
    space.filter.setMinimum(11);
    space.sessions.save();
    space.filter.setMinimum(12);
    ASSERT_TRUE(eventually([&] { return !saved.isEmpty(); }));
    EXPECT_TRUE(space.sessions.isModified());
    EXPECT_FALSE(space.save(pathOf("no such folder/a.pollard")));
    EXPECT_TRUE(space.sessions.isModified());
}

TEST_F(WorkModified, NotByOpeningASessionOfAllKinds) {
    const QString stack = writeStack("stack.tif", 2);
    {
        Workspace first;
        first.objects.setActive(true);
        ASSERT_TRUE(first.open(stack));
        startContour(first);
        ASSERT_TRUE(first.rests());
        first.contours.playback().toEnd();
        ASSERT_TRUE(first.rests());
        first.document.reading().setPage(1);
        ASSERT_TRUE(first.rests());
        startContour(first);
        ASSERT_TRUE(first.rests());
        first.contours.playback().stepForward();
        ASSERT_TRUE(first.rests());
        auto mask = std::make_shared<Mask>(60, 48, false);
        mask->set(3, 4, true);
        first.contours.settings().forbidden().set(mask); // starts a new run
        ASSERT_TRUE(first.rests());
        SnakeSpec spec = first.contours.settings().spec();
        spec.minLength += 2;
        first.contours.settings().setSpec(spec);
        ASSERT_TRUE(first.rests());
        first.filter.setRange(3, 200);
        first.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
        ASSERT_TRUE(first.rests());
        first.filter.picks().pick(first.document.tree()->canonical[3], PicksModel::PickEffect::removed);
        first.selection.select({1, 5});
        first.selection.store(QStringLiteral("two"));
        first.selection.select({2});
        first.objects.setSource(StepImage::original);
        first.objects.setLevels(90, 255);
        ASSERT_TRUE(first.rests());
        first.table.marks().remove(std::vector<std::uint32_t>{1});
        ASSERT_EQ(first.table.marks().removedCount(), 1U);
        first.display.setWindow(20, 180);
        ASSERT_TRUE(first.rests());
        ASSERT_TRUE(first.save(pathOf("a.pollard")));
        EXPECT_FALSE(first.sessions.isModified());
    }
    Workspace second;
    second.objects.setActive(true);
    ASSERT_TRUE(second.open(writeImage("other.tif", 4)));
    startContour(second);
    second.filter.setMinimum(9);
    ASSERT_TRUE(second.rests());
    QStringList wrong;
    bool isThere = false;
    QObject::connect(&second.sessions, &SessionViewModel::opened, &second.sessions, [&] { isThere = true; });
    QObject::connect(&second.sessions, &SessionViewModel::modifiedChanged, &second.sessions, [&] {
        if (isThere && second.sessions.isModified()) {
            wrong << QStringLiteral("modified by itself");
        }
    });
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    ASSERT_TRUE(eventually([&] { return second.table.marks().removedCount() > 0; }));
    ASSERT_TRUE(second.rests());
    EXPECT_FALSE(second.sessions.isModified());
    ASSERT_GE(second.contours.runs().all().size(), 2U);
    second.contours.selectRun(0); // its settings follow
    EXPECT_FALSE(second.sessions.isModified());
    second.contours.playback().scrub(0);
    EXPECT_FALSE(second.sessions.isModified());
    EXPECT_TRUE(wrong.isEmpty());
    second.contours.deleteRun(0);
    EXPECT_TRUE(second.sessions.isModified());
    // The runs of the other page are made when it is shown.
    Workspace third;
    ASSERT_TRUE(third.openSession(pathOf("a.pollard")));
    third.objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return third.table.marks().removedCount() > 0; }));
    third.table.marks().restore(nullptr); // removed with the page, like picks and selections
    third.filter.picks().clear();
    third.selection.clear();
    ASSERT_TRUE(third.save(pathOf("b.pollard")));
    Workspace fourth;
    ASSERT_TRUE(fourth.openSession(pathOf("b.pollard")));
    fourth.selection.forget(0);
    ASSERT_TRUE(fourth.save(pathOf("b.pollard")));
    fourth.document.reading().setPage(0);
    ASSERT_TRUE(fourth.rests());
    EXPECT_EQ(fourth.contours.runs().all().size(), 1U);
    EXPECT_FALSE(fourth.sessions.isModified());
    fourth.contours.deleteRun(0);
    EXPECT_TRUE(fourth.sessions.isModified());
}

TEST_F(WorkModified, ByWhatIsDoneBeforeASessionIsWhole) {
    const QString image = writeImage("a.tif");
    {
        Workspace first;
        ASSERT_TRUE(first.open(image));
        startContour(first);
        first.selection.select({1, 5});
        ASSERT_TRUE(first.rests());
        ASSERT_TRUE(first.save(pathOf("a.pollard")));
    }
    Workspace second;
    QObject::connect(&second.sessions, &SessionViewModel::opened, &second.sessions,
                     [&] { second.contours.startFrom({squareAround(42, 30, 4)}, QStringLiteral("another")); });
    ASSERT_TRUE(second.openSession(pathOf("a.pollard")));
    EXPECT_TRUE(second.sessions.isModified());
}

TEST_F(WorkModified, WhileARecoveredSessionIsInNoFile) {
    Workspace first;
    ASSERT_TRUE(first.open(writeImage("a.tif")));
    first.filter.setMinimum(7);
    ASSERT_TRUE(first.rests());
    ASSERT_TRUE(first.save(pathOf("a.pollard")));
    Workspace second;
    second.sessions.recover(pathOf("a.pollard"));
    ASSERT_TRUE(second.rests());
    EXPECT_TRUE(second.sessions.isModified());
    ASSERT_TRUE(second.save(pathOf("b.pollard")));
    EXPECT_FALSE(second.sessions.isModified());
}

TEST_F(WorkModified, IsComparedWithoutACopyOfWhatIsLarge) {
    Workspace space;
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    startContour(space);
    ASSERT_TRUE(space.rests());
    space.contours.playback().toEnd();
    ASSERT_TRUE(space.rests());
    NodeSet all(space.document.tree()->nodeCount());
    std::iota(all.begin(), all.end(), 0U);
    space.selection.select(all);
    const WorkState state = space.sessions.baseline().present();
    EXPECT_EQ(state.edit.selection.nodes, space.selection.nodes()) << "shared";
    ASSERT_EQ(state.runs.size(), 1U);
    EXPECT_TRUE(state.runs.front().starts.empty());
    EXPECT_EQ(state.runs.front().states, space.contours.runs().stateCount());
}

TEST_F(WorkModified, IsSummedUpInOneLine) {
    Workspace space;
    ASSERT_TRUE(space.open(writeImage("a.tif")));
    EXPECT_EQ(WorkSummary::of(space.sessions.draft()).text(), QStringLiteral("settings"));
    space.contours.setActive(true);
    space.contours.startFrom({squareAround(20, 20, 4), squareAround(42, 30, 4)}, QStringLiteral("two squares"));
    ASSERT_TRUE(space.rests());
    space.contours.playback().stepForward();
    ASSERT_TRUE(space.rests());
    SnakeSpec spec = space.contours.settings().spec();
    spec.minLength += 2;
    space.contours.settings().setSpec(spec); // a branch with the same contours
    space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
    space.filter.setMinimum(3);
    space.filter.criteria().add(AttributeId::height);
    space.filter.setMinimum(4);
    space.filter.criteria().add(AttributeId::level); // without a bound
    ASSERT_TRUE(space.rests());
    space.selection.select({1, 5});
    const WorkSummary summary = WorkSummary::of(space.sessions.draft());
    EXPECT_EQ(summary.text(), QStringLiteral("2 contours, 1 region, a filter of 2 criteria, 2 selected components"));
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    EXPECT_EQ(WorkSummary::of(loadSession(pathOf("a.pollard").toStdString())), summary);
}

} // namespace
} // namespace pollard::vm

// Parameters of contours in the undo history.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::squareAround;
using testing::Workspace;

class ContourUndo : public ::testing::Test {
protected:
    QTemporaryDir folder;
    Workspace space;
    QUndoStack& stack = space.history.stack();

    void SetUp() override {
        const QString path = folder.filePath(QStringLiteral("a.tif"));
        writeTiff(path.toStdString(), *discs(60, 48, {{20, 20, 9}, {42, 30, 8}}),
                  {.compression = TiffCompression::none});
        space.contours.settings().setReach(std::nullopt); // the whole image
        ASSERT_TRUE(space.open(path));
        space.contours.setActive(true);
    }
    void setLength(std::uint32_t length) {
        SnakeSpec spec = space.contours.settings().spec();
        spec.minLength = length;
        space.contours.settings().setSpec(spec);
        ASSERT_TRUE(space.rests());
    }
    void start(const Contour& contour) {
        space.contours.startFrom({contour}, QStringLiteral("square"));
        ASSERT_TRUE(space.rests());
        space.contours.playback().toEnd();
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(ContourUndo, TakesParametersBackAndMakesThemAgain) {
    const SnakeSpec first = space.contours.settings().spec();
    setLength(5);
    EXPECT_EQ(stack.count(), 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("length of contours' edges"));
    SnakeSpec spec = space.contours.settings().spec();
    spec.law = RegionLaw::poisson;
    space.contours.settings().setSpec(spec);
    EXPECT_EQ(stack.undoText(), QStringLiteral("statistics of contours"));
    space.contours.settings().setEngine({true, ""});
    EXPECT_EQ(stack.undoText(), QStringLiteral("moves of contours"));
    EXPECT_EQ(stack.count(), 3);
    while (stack.canUndo()) {
        stack.undo();
    }
    EXPECT_EQ(space.contours.settings().spec(), first);
    EXPECT_EQ(space.contours.settings().engine(), ContourEngine{});
    stack.redo();
    EXPECT_EQ(space.contours.settings().spec().minLength, 5U);
    EXPECT_EQ(space.contours.settings().spec().law, RegionLaw::gaussian);
    stack.redo();
    stack.redo();
    EXPECT_TRUE(space.contours.settings().engine().isWhole);
}

TEST_F(ContourUndo, GoesOnFromTheShownContourWithTheOldParameters) {
    start(squareAround(20, 20, 4));
    const std::uint32_t length = space.contours.settings().spec().minLength;
    setLength(4);
    ASSERT_EQ(space.contours.runs().all().size(), 2U);
    space.contours.playback().toEnd();
    ASSERT_TRUE(space.rests());
    stack.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.contours.runs().all().size(), 1U) << "the parameter and its run are one entry";
    EXPECT_EQ(space.contours.runs().currentRun()->spec.minLength, length);
    EXPECT_EQ(space.contours.settings().spec().minLength, length);
    stack.redo();
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(space.contours.runs().all().size(), 2U);
    EXPECT_EQ(space.contours.runs().currentRun()->spec.minLength, 4U);
    EXPECT_TRUE(space.contours.runs().isFinished());
}

TEST_F(ContourUndo, BringsDeletedRunsBackAndTakesStartsAway) {
    const int before = stack.count();
    start(squareAround(20, 20, 4));
    EXPECT_EQ(stack.count(), before + 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("new contours"));
    const auto first = space.contours.runs().allNodes();
    start(squareAround(42, 30, 4));
    EXPECT_EQ(stack.count(), before + 2);
    const auto second = space.contours.runs().allNodes();
    space.contours.deleteRun(0);
    EXPECT_EQ(stack.undoText(), QStringLiteral("deleted contours"));
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    stack.undo();
    ASSERT_EQ(space.contours.runs().all().size(), 2U);
    EXPECT_EQ(space.contours.runs().current(), 0) << "the run that came back";
    EXPECT_EQ(space.contours.runs().allNodes(), first);
    EXPECT_EQ(space.contours.runs().all()[0].id, 1);
    stack.undo();
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.runs().allNodes(), first);
    stack.undo();
    EXPECT_EQ(space.contours.runs().current(), -1);
    stack.redo();
    stack.redo();
    ASSERT_EQ(space.contours.runs().all().size(), 2U);
    EXPECT_EQ(space.contours.runs().allNodes(), second);
    stack.redo();
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.runs().allNodes(), second);
    EXPECT_EQ(stack.index(), stack.count());
}

TEST_F(ContourUndo, TakesADraggedNodeBack) {
    space.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(space.rests());
    const auto nodes = space.contours.runs().allNodes();
    space.contours.beginDrag(0);
    space.contours.dragTo({13, 13});
    space.contours.endDrag();
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(space.contours.runs().all().size(), 1U) << "a run without moves is changed itself";
    const auto moved = space.contours.runs().allNodes();
    ASSERT_NE(moved, nodes);
    stack.undo();
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.runs().allNodes(), nodes);
    stack.redo();
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.runs().allNodes(), moved);
    stack.undo();
    stack.undo();
    EXPECT_EQ(space.contours.runs().current(), -1);
    start(squareAround(42, 30, 4));
    EXPECT_FALSE(stack.canRedo());
    stack.undo();
    EXPECT_EQ(space.contours.runs().current(), -1);
}

TEST_F(ContourUndo, OtherEditsLeaveRunsAlone) {
    start(squareAround(20, 20, 4));
    space.filter.setMinimum(5);
    stack.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.contours.runs().all().size(), 1U);
}

TEST_F(ContourUndo, HasNoEntryForLookingAtAnotherRun) {
    start(squareAround(20, 20, 4));
    setLength(4);
    start(squareAround(42, 30, 4));
    const int entries = stack.count();
    const SnakeSpec later = space.contours.settings().spec();
    space.contours.selectRun(0);
    EXPECT_NE(space.contours.settings().spec(), later);
    EXPECT_EQ(stack.count(), entries);
    space.filter.setMinimum(5);
    EXPECT_EQ(stack.count(), entries + 1);
    EXPECT_TRUE(stack.undoText().contains(QStringLiteral("area"))) << stack.undoText().toStdString();
    const SnakeSpec looked = space.contours.settings().spec();
    stack.undo();
    EXPECT_EQ(space.contours.settings().spec(), looked) << "the undo of a filter is nothing for contours";
}

} // namespace
} // namespace pollard::vm

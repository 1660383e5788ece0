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
        writeTiff(path.toStdString(), *discs(60, 48, {{20, 20, 9}, {42, 30, 8}}), {.deflate = false, .carried = {}});
        space.contours.setReach(std::nullopt); // the whole picture
        ASSERT_TRUE(space.open(path));
        space.contours.setActive(true);
    }
    void setLength(std::uint32_t length) {
        SnakeSpec spec = space.contours.spec();
        spec.minLength = length;
        space.contours.setSpec(spec);
        ASSERT_TRUE(space.rests());
    }
    void start(const Contour& contour) {
        space.contours.startFrom(contour, QStringLiteral("square"));
        ASSERT_TRUE(space.rests());
        space.contours.toEnd();
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(ContourUndo, TakesParametersBackAndMakesThemAgain) {
    const SnakeSpec first = space.contours.spec();
    setLength(5);
    EXPECT_EQ(stack.count(), 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("length of contours' edges"));
    SnakeSpec spec = space.contours.spec();
    spec.law = RegionLaw::poisson;
    space.contours.setSpec(spec);
    EXPECT_EQ(stack.undoText(), QStringLiteral("statistics of contours"));
    space.contours.setEngine({true, ""});
    EXPECT_EQ(stack.undoText(), QStringLiteral("moves of contours"));
    EXPECT_EQ(stack.count(), 3);
    while (stack.canUndo()) {
        stack.undo();
    }
    EXPECT_EQ(space.contours.spec(), first);
    EXPECT_EQ(space.contours.engine(), ContourEngine{});
    stack.redo();
    EXPECT_EQ(space.contours.spec().minLength, 5U);
    EXPECT_EQ(space.contours.spec().law, RegionLaw::gaussian);
    stack.redo();
    stack.redo();
    EXPECT_TRUE(space.contours.engine().isWhole);
}

TEST_F(ContourUndo, GoesOnFromTheShownContourWithTheOldParameters) {
    start(squareAround(20, 20, 4));
    const std::uint32_t length = space.contours.spec().minLength;
    setLength(4);
    ASSERT_EQ(space.contours.runs().size(), 2U);
    space.contours.toEnd();
    ASSERT_TRUE(space.rests());
    stack.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.contours.runs().size(), 3U) << "what was computed stays";
    EXPECT_EQ(space.contours.currentRun()->spec.minLength, length);
}

TEST_F(ContourUndo, HasNoEntryForLookingAtAnotherRun) {
    start(squareAround(20, 20, 4));
    setLength(4);
    start(squareAround(42, 30, 4));
    const int entries = stack.count();
    const SnakeSpec later = space.contours.spec();
    space.contours.selectRun(0);
    EXPECT_NE(space.contours.spec(), later);
    EXPECT_EQ(stack.count(), entries);
    space.filter.setMinimum(5);
    EXPECT_EQ(stack.count(), entries + 1);
    EXPECT_TRUE(stack.undoText().contains(QStringLiteral("area"))) << stack.undoText().toStdString();
    const SnakeSpec looked = space.contours.spec();
    stack.undo();
    EXPECT_EQ(space.contours.spec(), looked) << "the undo of a filter is nothing for contours";
}

} // namespace
} // namespace pollard::vm

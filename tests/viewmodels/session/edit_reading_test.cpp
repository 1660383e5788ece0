// Undo and redo of the way a file is read, including its dependent data.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;
using testing::Workspace;

class ReadingHistory : public ::testing::Test {
protected:
    QTemporaryDir folder;
    Workspace space;
    DocumentViewModel& document = space.document;
    QUndoStack& stack = space.history.stack();

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void write(const char* name) const {
        writeTiff(pathOf(name).toStdString(),
                  {3,
                   [](int page, const JobControl&) {
                       return Plane{ownedRows(discs(60, 48, {{20.0 + 3 * page, 20, 9}, {42, 30, 8}},
                                                    static_cast<std::uint32_t>(page + 1)))};
                   }},
                  {.arePages = true});
    }
    void SetUp() override {
        write("a.tif");
        ASSERT_TRUE(space.open(pathOf("a.tif")));
        ASSERT_EQ(stack.count(), 0);
    }

    /// The visible state.
    struct Seen {
        OpenRequest read;
        std::vector<std::uint16_t> image;
        FilterViewModel::State filter;
        TreeStep tree;
        std::vector<RegionShape> shapes;
        NodeSet selected;

        bool operator==(const Seen&) const = default;
        friend void PrintTo(const Seen& seen, std::ostream* out) {
            *out << "page " << seen.read.page << ", shrink " << seen.read.shrink << ", " << seen.image.size() << " px, "
                 << seen.filter.picks.size() << " picks, " << seen.shapes.size() << " shapes, " << seen.selected.size()
                 << " selected";
        }
    };
    [[nodiscard]] Seen seen() const {
        Seen now{document.request(),
                 {},
                 space.filter.state(),
                 {document.choices().treeKind(), document.choices().connectivity()},
                 {},
                 {}};
        const Image& result = *document.result();
        for (std::size_t p = 0; p < result.pixelCount(); ++p) {
            now.image.push_back(result.level(p));
        }
        now.shapes = space.region.state().shapes;
        now.selected = *space.selection.nodes();
        return now;
    }
    /// Goes to an entry of the history. @return whether it exists
    [[nodiscard]] bool goTo(int index) {
        stack.setIndex(index);
        return eventually([&] { return !space.history.isReading(); }) && space.rests() && stack.index() == index;
    }
    /// Makes every kind of edit on the first page.
    void work() {
        space.filter.setMinimum(4);
        space.region.add({RegionShape::Kind::ellipse, {{2, 3}, {55, 44}}});
        ASSERT_TRUE(space.rests());
        space.filter.picks().pick(document.tree()->canonical[3], PicksModel::PickEffect::removed);
        space.selection.select({1, 5, 9});
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(ReadingHistory, GoesBackAndForthThroughEveryWayOfReading) {
    const std::vector<std::pair<std::function<void()>, const char*>> readings{
        {[&] { document.reading().setPage(2); }, "page 3"},
        {[&] { document.reading().setShrink(2); }, "image shrunk by 2"},
        {[&] { space.filter.setMinimum(9); }, "area at least 9"},
        {[&] { document.reading().setShrink(1); }, "image in full size"},
        {[&] {
             document.reading().setReadRegion(PixelRegion{4, 6, 40, 30});
         },
         "part of the image"},
        {[&] { document.reading().setReadRegion(std::nullopt); }, "whole image"},
        {[&] { document.choices().setTreeKind(TreeKind::min); }, "min-tree"},
        {[&] {
             MappingChoice mapping;
             mapping.range = MappingChoice::Range::fixed;
             mapping.low = 20;
             mapping.high = 150;
             document.reading().setMapping(mapping);
         },
         "range of values"}};
    ASSERT_NO_FATAL_FAILURE(work());
    std::vector<Seen> states{seen()};
    const int first = stack.index();
    for (const auto& [act, text] : readings) {
        act();
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(stack.undoText(), QLatin1String(text));
        EXPECT_EQ(stack.index(), first + static_cast<int>(states.size()));
        states.push_back(seen());
    }
    EXPECT_EQ(states[1].filter.picks.size(), 0U) << "picks belong to the page";
    const auto expectAt = [&](std::size_t i) {
        ASSERT_TRUE(goTo(first + static_cast<int>(i))) << i;
        EXPECT_EQ(seen(), states[i]) << i;
    };
    for (std::size_t i = states.size(); i-- > 0;) {
        expectAt(i);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        expectAt(i);
    }
    for (const std::size_t i : {0U, 8U, 3U, 5U, 2U, 6U, 0U}) { // over several readings at once
        expectAt(i);
    }
}

TEST_F(ReadingHistory, HasOneEntryForPagesThatAreTurnedInARow) {
    ASSERT_NO_FATAL_FAILURE(work());
    const Seen before = seen();
    const int first = stack.index();
    for (const int page : {1, 2, 1}) {
        document.reading().setPage(page);
        ASSERT_TRUE(space.rests());
    }
    EXPECT_EQ(stack.count(), first + 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("page 2"));
    space.filter.setMinimum(6);
    document.reading().setPage(2);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(stack.count(), first + 3);
    ASSERT_TRUE(goTo(first));
    EXPECT_EQ(seen(), before);
}

TEST_F(ReadingHistory, StaysAsItIsWhereTheFileIsGone) {
    ASSERT_NO_FATAL_FAILURE(work());
    const int first = stack.index();
    const Seen start = seen();
    document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    space.filter.setMinimum(9);
    ASSERT_TRUE(space.rests());
    const Seen before = seen();
    const int count = stack.count();
    ASSERT_TRUE(QFile::remove(pathOf("a.tif")));
    QSignalSpy errors(&document.activity(), &DocumentActivity::errorOccurred);
    stack.setIndex(first); // over the filter and the reading, in one go
    EXPECT_TRUE(space.history.isReading());
    ASSERT_TRUE(eventually([&] { return !space.history.isReading(); }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(errors.size(), 1);
    EXPECT_EQ(stack.count(), count);
    EXPECT_EQ(document.request(), before.read);
    EXPECT_EQ(stack.index(), first + 1) << "the filter was gone back to before";
    stack.setIndex(count);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(seen(), before);
    write("a.tif");
    ASSERT_TRUE(goTo(first));
    EXPECT_EQ(seen(), start);
}

TEST_F(ReadingHistory, StaysAsItIsWhereThereIsAQuestion) {
    document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    const Seen before = seen();
    document.reading().setAskAboutMemory(true);
    space.availableMemory = 1000;
    QSignalSpy asked(&document, &DocumentViewModel::decisionNeeded);
    stack.undo();
    ASSERT_TRUE(eventually([&] { return !asked.isEmpty() && !space.history.isReading(); }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(stack.index(), 1);
    EXPECT_EQ(seen(), before);
}

TEST_F(ReadingHistory, FollowsWhoeverIsFaster) {
    document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    document.reading().setShrink(4);
    ASSERT_TRUE(space.rests());
    const Seen last = seen();
    for (int i = 0; i < 3; ++i) {
        stack.undo();
        stack.undo();
        stack.redo();
        stack.redo();
    }
    ASSERT_TRUE(goTo(2));
    EXPECT_EQ(seen(), last);
    stack.undo();
    document.reading().setShrink(8); // another request while the first one runs
    ASSERT_TRUE(eventually([&] { return !space.history.isReading() && document.request().shrink == 8; }));
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(stack.isClean() || stack.index() == stack.count());
    EXPECT_EQ(stack.undoText(), QStringLiteral("image shrunk by 8"));
    write("b.tif");
    stack.undo();
    document.open(pathOf("b.tif"));
    ASSERT_TRUE(eventually([&] { return document.path() == pathOf("b.tif"); }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(stack.count(), 0) << "another file starts without a history";
    EXPECT_FALSE(space.history.isReading());
}

TEST_F(ReadingHistory, LeavesTheContoursOfThePagesAlone) {
    space.contours.setActive(true);
    space.contours.startFrom({squareAround(20, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(space.rests());
    space.contours.playback().toEnd();
    ASSERT_TRUE(space.rests());
    const std::vector<Contour> onFirst = space.contours.runs().allNodes();
    document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    SnakeSpec spec = space.contours.settings().spec();
    spec.minLength = 5;
    space.contours.settings().setSpec(spec);
    space.contours.startFrom({squareAround(23, 20, 4)}, QStringLiteral("square"));
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(stack.count(), 4) << "contours, page, length, contours";
    ASSERT_TRUE(goTo(1));
    ASSERT_EQ(space.contours.runs().all().size(), 1U) << "nothing branches";
    EXPECT_EQ(space.contours.runs().allNodes(), onFirst);
    EXPECT_EQ(space.contours.settings().spec(), SnakeSpec());
    ASSERT_TRUE(goTo(4));
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.settings().spec().minLength, 5U);
}

} // namespace
} // namespace pollard::vm

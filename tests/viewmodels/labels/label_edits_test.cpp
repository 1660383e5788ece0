// Objects edited by hand, with undo.

#include "vm/labels/label_edit_view_model.hpp"
#include "vm/labels/label_gesture.hpp"
#include "vm/labels/label_work.hpp"

#include "components/labelled_components.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using vm::LabelTool;

/// Two squares of 8 px, from (2, 2) and (14, 2), in an image of 24 x 12 px.
std::shared_ptr<Image> twoSquares() {
    return makeImage(PixelType::u8, 24, 12, [](auto x, auto y) -> std::uint32_t {
        return y >= 2 && y < 10 && ((x >= 2 && x < 10) || (x >= 14 && x < 22)) ? 200 : 20;
    });
}

class LabelEdits : public ::testing::Test {
protected:
    QTemporaryDir directory;
    Workspace work;
    vm::LabelEditViewModel& edits = work.labelEdits;

    void SetUp() override {
        const QString path = directory.filePath(QStringLiteral("two.tif"));
        const auto image = twoSquares();
        writeTiff(path.toStdString(), {*image, {}}, {.compression = TiffCompression::none});
        ASSERT_TRUE(work.open(path));
        work.objects.setSource(StepImage::original);
        work.objects.setActive(true);
        ASSERT_TRUE(work.rests());
        ASSERT_THAT(areas(), ElementsAre(64, 64));
        ASSERT_TRUE(edits.isAvailable());
    }
    [[nodiscard]] bool rests() {
        return eventually([this] { return !edits.isBusy(); }) && work.rests();
    }
    [[nodiscard]] std::vector<std::uint64_t> areas() const {
        std::vector<std::uint64_t> areas;
        if (work.table.listing()) {
            for (const ComponentRecord& object : work.table.listing()->found->components.objects) {
                areas.push_back(object.area);
            }
        }
        return areas;
    }
    /// Of the objects with pixels, ascending.
    [[nodiscard]] std::vector<std::uint32_t> numbers() const {
        const Components& found = work.objects.objects()->components;
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            if (found.objects[label - 1].area != 0) {
                numbers.push_back(found.numberOf(label));
            }
        }
        std::ranges::sort(numbers);
        return numbers;
    }
    /// 1 + the row of the class, for each object.
    [[nodiscard]] std::vector<std::uint32_t> classNumbers() const { return work.table.listing()->classified->numbers; }
    [[nodiscard]] std::vector<std::uint32_t> labels() const {
        const auto& found = work.objects.objects()->components.labels;
        return {found.begin(), found.end()};
    }
    /// @return whether the models rest afterwards
    [[nodiscard]] bool draw(LabelTool tool, const std::vector<QPointF>& points, bool over = false) {
        edits.setTool(tool);
        edits.begin(points.front(), over);
        std::ranges::for_each(points.begin() + 1, points.end(), [this](const QPointF& at) { edits.moveTo(at); });
        edits.finish();
        return rests();
    }
    [[nodiscard]] bool undo() {
        work.history.undo();
        return rests();
    }
    [[nodiscard]] bool redo() {
        work.history.redo();
        return rests();
    }
};

TEST_F(LabelEdits, ABrushExtendsTheObjectBelowItsFirstPoint) {
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{5, 5}, {12.5, 5.5}}));
    EXPECT_THAT(areas(), ElementsAre(67, 64));
    EXPECT_TRUE(work.objects.isEdited());
    EXPECT_EQ(work.history.stack().undoText(), QStringLiteral("painted object"));
    ASSERT_TRUE(draw(LabelTool::brush, {{5, 5}, {15.5, 5.5}}));
    EXPECT_THAT(areas(), ElementsAre(68, 64)); // other objects stay
    ASSERT_TRUE(draw(LabelTool::brush, {{5, 5}, {15.5, 5.5}}, true));
    EXPECT_THAT(areas(), ElementsAre(70, 62));
}

TEST_F(LabelEdits, ABrushOnTheBackgroundMakesAnObject) {
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}, {3, 0}}));
    EXPECT_THAT(areas(), ElementsAre(64, 64, 4));
    EXPECT_EQ(work.table.rowCount(), 3);
}

TEST_F(LabelEdits, UndoAndRedoGiveTheSameBytes) {
    edits.setBrush(3);
    std::vector<std::vector<std::uint32_t>> states{labels()};
    const auto keep = [&](bool rested) {
        ASSERT_TRUE(rested);
        ASSERT_NE(labels(), states.back());
        states.push_back(labels());
    };
    keep(draw(LabelTool::brush, {{5, 5}, {12, 5}}));
    keep(draw(LabelTool::eraser, {{0, 3}, {24, 9}}));
    keep(draw(LabelTool::merge, {{3, 9}, {16, 9}}));
    keep(draw(LabelTool::polygon, {{0, 0}, {23, 1}, {3, 11}}));
    edits.remove({1});
    keep(rests());
    ASSERT_EQ(work.history.stack().count(), work.history.stack().index());
    for (std::size_t at = states.size() - 1; at > 0; --at) {
        EXPECT_EQ(labels(), states[at]) << at;
        ASSERT_TRUE(undo());
    }
    EXPECT_FALSE(work.objects.isEdited());
    for (std::size_t at = 0; at < states.size(); ++at) {
        EXPECT_EQ(labels(), states[at]) << at;
        ASSERT_TRUE(redo());
    }
}

TEST_F(LabelEdits, ACutDividesAnObjectAndAMergeJoinsItAgain) {
    ASSERT_TRUE(draw(LabelTool::cut, {{5.5, 0}, {5.5, 11}}));
    const std::vector<std::uint64_t> cut = areas();
    ASSERT_EQ(cut.size(), 3U);
    EXPECT_EQ(cut[0] + cut[2], 64U);
    EXPECT_EQ(work.history.stack().undoText(), QStringLiteral("cut object"));
    ASSERT_TRUE(draw(LabelTool::merge, {{3, 5}, {9, 5}}));
    EXPECT_EQ(work.table.rowCount(), 2);
}

TEST_F(LabelEdits, AGestureWithoutAnEffectSaysWhy) {
    const int before = work.history.stack().count();
    ASSERT_TRUE(draw(LabelTool::cut, {{0, 0}, {1, 1}}));
    EXPECT_FALSE(edits.problem().isEmpty());
    EXPECT_FALSE(work.objects.isEdited());
    EXPECT_EQ(work.history.stack().count(), before);
    ASSERT_TRUE(draw(LabelTool::fill, {{0, 0}}));
    EXPECT_FALSE(edits.problem().isEmpty());
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{100, 100}}));
    EXPECT_FALSE(work.objects.isEdited());
    EXPECT_TRUE(edits.problem().isEmpty());
}

TEST_F(LabelEdits, AHoleIsFilledByItsObject) {
    edits.setBrush(3);
    ASSERT_TRUE(draw(LabelTool::eraser, {{6, 6}}));
    ASSERT_LT(areas().front(), 64U);
    ASSERT_TRUE(draw(LabelTool::fill, {{6, 6}}));
    EXPECT_THAT(areas(), ElementsAre(64, 64));
}

TEST_F(LabelEdits, TheRuleDoesNotOverwriteEditsUntilObjectsAreFoundAgain) {
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}}));
    work.objects.setLevels(250, 255);
    ASSERT_TRUE(rests());
    EXPECT_THAT(areas(), ElementsAre(64, 64, 1));
    ASSERT_TRUE(undo());
    edits.findAgain();
    ASSERT_TRUE(rests());
    EXPECT_THAT(areas(), ElementsAre(64, 64));
    EXPECT_EQ(work.history.stack().undoText(), QStringLiteral("objects found again"));
    ASSERT_TRUE(undo());
    EXPECT_THAT(areas(), ElementsAre(64, 64, 1));
}

TEST_F(LabelEdits, AnEditDeletesObjectsThatWereRemovedFromTheTable) {
    work.table.marks().remove(std::vector<std::uint32_t>{2});
    ASSERT_TRUE(rests());
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}}));
    EXPECT_THAT(areas(), ElementsAre(64, 0, 1));
    EXPECT_EQ(work.table.rowCount(), 2);
    ASSERT_TRUE(undo());
    EXPECT_THAT(areas(), ElementsAre(64, 64));
    EXPECT_EQ(work.table.marks().removedCount(), 1);
}

TEST_F(LabelEdits, AComponentOfTheTreeBecomesAnObject) {
    ASSERT_TRUE(work.document.tree());
    edits.take(work.document.tree(), 0);
    ASSERT_TRUE(rests());
    EXPECT_THAT(areas(), ElementsAre(0, 0, 24 * 12));
}

TEST_F(LabelEdits, ASelectionStaysWithItsObjects) {
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}}));
    work.table.marks().select(std::vector<std::uint32_t>{2});
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 5}}));
    EXPECT_THAT(work.table.marks().selected(), ElementsAre(2));
    edits.remove({2});
    ASSERT_TRUE(rests());
    EXPECT_EQ(work.table.marks().selectedCount(), 0);
}

TEST_F(LabelEdits, ASessionHasTheEditedObjects) {
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}, {3, 0}}));
    ASSERT_TRUE(draw(LabelTool::cut, {{5.5, 0}, {5.5, 11}}));
    const std::vector<std::uint32_t> edited = labels();
    const QString path = directory.filePath(QStringLiteral("work.pollard"));
    ASSERT_TRUE(work.save(path));
    EXPECT_FALSE(work.sessions.isModified());
    Workspace other;
    ASSERT_TRUE(other.openSession(path));
    other.objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return !other.labelEdits.isBusy(); }) && other.rests());
    ASSERT_TRUE(other.objects.isEdited());
    const auto& found = other.objects.objects()->components.labels;
    EXPECT_EQ(std::vector(found.begin(), found.end()), edited);
    EXPECT_EQ(other.table.rowCount(), work.table.rowCount());
    other.labelEdits.findAgain();
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(other.table.rowCount(), 2);
}

TEST_F(LabelEdits, AnObjectGetsAnotherNumberUnlessItIsTaken) {
    edits.renumber(1, 2, false);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(edits.problem().isEmpty());
    EXPECT_FALSE(work.objects.isEdited());
    work.table.marks().select(std::vector<std::uint32_t>{1});
    edits.renumber(1, 40, false);
    ASSERT_TRUE(rests());
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{2, 40}));
    EXPECT_EQ(work.history.stack().undoText(), QStringLiteral("number of an object"));
    ASSERT_EQ(work.table.marks().selectedCount(), 1) << "the selection goes with the object";
    EXPECT_EQ(work.objects.objects()->components.numberOf(work.table.marks().selected().front()), 40U);
    ASSERT_TRUE(undo());
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{1, 2}));
    ASSERT_TRUE(redo());
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{2, 40}));
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}}));
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{2, 40, 41}));
    edits.renumber(work.objects.objects()->components.labelOf(40), 1, false);
    ASSERT_TRUE(rests());
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{1, 2, 41})) << "the number of an object that is gone";
    edits.renumber(1, 2, true);
    ASSERT_TRUE(rests());
    EXPECT_EQ(numbers(), (std::vector<std::uint32_t>{2, 41}));
    EXPECT_THAT(areas(), ::testing::Contains(128U));
}

TEST_F(LabelEdits, AClassByHandWinsOverTheConditions) {
    vm::ClassList& classes = work.objects.classes();
    classes.add(QStringLiteral("area > 10"));
    classes.add(QStringLiteral("area > 1000"));
    ASSERT_TRUE(rests());
    ASSERT_THAT(classNumbers(), ElementsAre(1, 1));
    const int before = work.history.stack().count();
    edits.setClass({2}, 1);
    ASSERT_TRUE(rests());
    EXPECT_THAT(classNumbers(), ElementsAre(1, 2));
    EXPECT_EQ(work.history.stack().count(), before + 1);
    EXPECT_EQ(work.history.stack().undoText(), QStringLiteral("class of objects"));
    classes.move(1, 0);
    ASSERT_TRUE(rests());
    EXPECT_THAT(classNumbers(), ElementsAre(2, 1)) << "it keeps its class";
    edits.setClass({1}, 2);
    ASSERT_TRUE(rests());
    ASSERT_EQ(classes.rowCount(), 3);
    EXPECT_THAT(classNumbers(), ElementsAre(3, 1)) << "a new class";
    const QString path = directory.filePath(QStringLiteral("work.pollard"));
    ASSERT_TRUE(work.save(path));
    Workspace other;
    ASSERT_TRUE(other.openSession(path));
    other.objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return !other.labelEdits.isBusy(); }) && other.rests());
    EXPECT_EQ(other.table.listing()->classified->numbers, work.table.listing()->classified->numbers);
    ASSERT_TRUE(undo());
    EXPECT_THAT(classNumbers(), ElementsAre(2, 1));
    edits.setClass({2}, -1);
    ASSERT_TRUE(rests());
    EXPECT_THAT(classNumbers(), ElementsAre(2, 2));
}

TEST_F(LabelEdits, ClassesByHandGoWithTheNumbersOfTheirObjects) {
    vm::ClassList& classes = work.objects.classes();
    classes.add(QStringLiteral("area > 1000"));
    edits.setClass({2}, 0);
    ASSERT_TRUE(rests());
    edits.renumber(2, 7, false);
    ASSERT_TRUE(rests());
    EXPECT_EQ(classes.rowOfMember(7), 0);
    EXPECT_EQ(classes.rowOfMember(2), -1);
    EXPECT_EQ(classes.counts().front(), 1U);
    edits.findAgain();
    ASSERT_TRUE(rests());
    EXPECT_EQ(classes.counts().front(), 0U) << "these are other objects";
    edits.setBrush(1);
    ASSERT_TRUE(draw(LabelTool::brush, {{0, 0}}));
    EXPECT_EQ(classes.rowOfMember(7), -1) << "and so are those that are edited now";
    ASSERT_TRUE(undo());
    ASSERT_TRUE(undo());
    EXPECT_EQ(classes.rowOfMember(7), 0);
    EXPECT_EQ(classes.counts().front(), 1U);
}

TEST_F(LabelEdits, HundredsOfStrokesAreUndoneAndDoneAgain) {
    edits.setBrush(3);
    edits.setTool(LabelTool::brush);
    const std::vector<std::uint32_t> first = labels();
    for (int i = 0; i < 350; ++i) {
        edits.begin({i * 7 % 24 * 1., i * 5 % 12 * 1.}, true);
        edits.moveTo({i * 11 % 24 * 1., i * 3 % 12 * 1.});
        edits.finish();
        ASSERT_TRUE(i % 50 != 49 || rests());
    }
    const std::vector<std::uint32_t> last = labels();
    const int count = work.history.stack().count();
    EXPECT_GT(count, 200) << "strokes with an effect";
    while (work.history.stack().canUndo()) {
        work.history.undo();
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(labels(), first);
    while (work.history.stack().canRedo()) {
        work.history.redo();
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(labels(), last);
}

/// Objects without an image, for edits of labels alone.
std::shared_ptr<const vm::FoundObjects> emptyObjects(std::uint32_t side) {
    auto found = std::make_shared<vm::FoundObjects>();
    const std::vector<std::uint32_t> none(std::size_t{side} * side, 0);
    found->components = measureNumbers(none, {side, side, 1}, nullptr, nullptr, Connectivity::eight);
    return found;
}

/// A stroke of a new object or of the one below its first point.
vm::LabelWork::Edit stroke(const QPointF& from, const QPointF& to) {
    vm::LabelGesture gesture;
    gesture.tool = LabelTool::brush;
    gesture.points = {{from.x(), from.y()}, {to.x(), to.y()}};
    gesture.tip.radius = 7.5;
    return editOf(gesture);
}

TEST(LabelWork, AThousandStrokesTakeLittleOfTheLabels) {
    constexpr std::uint32_t kSide = 2304; // a twentieth of its labels is more than the least bound
    vm::LabelWork work(emptyObjects(kSide), {});
    std::mt19937 random(5);
    const auto place = [&random] { return static_cast<double>(random() % kSide); };
    std::vector<std::size_t> sums;
    const auto sum = [&work] {
        const auto& labels = work.found()->components.labels;
        return std::accumulate(labels.begin(), labels.end(), std::size_t{0},
                               [](std::size_t all, std::uint32_t label) { return all * 31 + label; });
    };
    const auto draw = [&] {
        const double x = place();
        const double y = place();
        return work.apply(stroke({x, y}, {x + 40, y + place() / 80}), nullptr, {});
    };
    for (int i = 0; i < 1000; ++i) {
        if (i % 100 == 0) {
            sums.push_back(sum());
        }
        ASSERT_TRUE(draw() || draw()); // a stroke within an object changes nothing
    }
    sums.push_back(sum());
    for (std::size_t i = sums.size(); i-- > 0;) {
        work.go(i * 100, {});
        ASSERT_EQ(work.position(), i * 100) << "no stroke was dropped";
        EXPECT_EQ(sum(), sums[i]);
    }
    work.go(1000, {});
    EXPECT_EQ(sum(), sums.back());
}

TEST(LabelWork, EditsReuseLabelsThatNobodyReads) {
    vm::LabelWork work(emptyObjects(64), {});
    const auto data = [&work] { return work.found()->components.labels.data(); };
    std::vector<const std::uint32_t*> places;
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(work.apply(stroke({i * 9., 5}, {i * 9., 9}), nullptr, {}));
        places.push_back(data());
    }
    EXPECT_NE(places[4], places[5]);
    EXPECT_EQ(places[5], places[3]);
    const std::shared_ptr<const vm::FoundObjects> read = work.found();
    const std::vector<std::uint32_t> labels(read->components.labels.begin(), read->components.labels.end());
    const ComponentRecords records = read->components.objects;
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(work.apply(stroke({i * 9., 30}, {i * 9., 50}), nullptr, {}));
    }
    EXPECT_TRUE(std::ranges::equal(read->components.labels, labels)) << "it is read";
    EXPECT_EQ(read->components.objects, records);
    const auto& now = work.found()->components;
    const Components all = measureNumbers(now.labels.span(), now.extent(), nullptr, nullptr, Connectivity::eight);
    EXPECT_EQ(now.objects, all.objects);
}

TEST_F(LabelEdits, QuickGesturesAreAllMadeInTheirOrder) {
    edits.setBrush(1);
    edits.setTool(LabelTool::brush);
    const int before = work.history.stack().count();
    for (int x = 0; x < 20; ++x) {
        edits.begin({x * 1., 0.}, false);
        edits.finish();
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(work.history.stack().count(), before + 20);
    EXPECT_EQ(std::ranges::count_if(labels(), [](std::uint32_t label) { return label > 2; }), 20);
}

} // namespace
} // namespace pollard::testing

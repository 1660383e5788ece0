// Undo and redo in the real window: the menu, the keys, one entry per drag.
#include "app/test_window.hpp"

#include "docks/tree/attribute_plane_view.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "widgets/range_slider.hpp"
#include "window/actions.hpp"
#include "window/panel_dock.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QMenuBar>
#include <QTreeView>

namespace pollard::app {
namespace {

class Editing : public ::testing::Test {
protected:
    TestWindow test;
    QUndoStack& stack = test.models.history.stack();
    vm::FilterViewModel& filter = test.models.filter;
    QAction* undo = test.window.actionList().edit->undo;
    QAction* redo = test.window.actionList().edit->redo;

    void SetUp() override {
        test.open("noise", makeNoise(96));
        ASSERT_EQ(stack.count(), 0);
    }
    void undoKey() { QTest::keyClick(&test.window, Qt::Key_Z, Qt::ControlModifier); }
    void redoKey() { QTest::keyClick(&test.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
    [[nodiscard]] SharedImage shown() {
        EXPECT_TRUE(test.settle());
        return test.models.document.result();
    }
    static void drag(QWidget* widget, QPoint from, QPoint to) {
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, from);
        for (int i = 1; i <= 10; ++i) {
            QTest::mouseMove(widget, from + (to - from) * i / 10);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, to);
    }
};

TEST_F(Editing, ADragOfTheSliderIsOneEntryThatSaysWhatItDid) {
    const SharedImage before = shown();
    EXPECT_FALSE(undo->isEnabled());
    EXPECT_EQ(undo->text(), QStringLiteral("&Undo"));
    auto* slider = test.part<RangeSlider>("range");
    const auto at = [&](double position) {
        return QPoint(static_cast<int>(slider->pixelOf(position)), slider->height() / 2);
    };
    drag(slider, at(0), at(0.4));
    const SharedImage once = shown();
    EXPECT_FALSE(samePixels(*once, *before));
    EXPECT_EQ(stack.count(), 1);
    EXPECT_EQ(undo->text(), QStringLiteral("&Undo ") + stack.undoText());
    EXPECT_TRUE(stack.undoText().startsWith(QStringLiteral("area at least "))) << stack.undoText().toStdString();
    drag(slider, at(0.4), at(0.6));
    const SharedImage twice = shown();
    EXPECT_EQ(stack.count(), 2);
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *once));
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *before));
    EXPECT_FALSE(undo->isEnabled());
    EXPECT_EQ(redo->text(), QStringLiteral("&Redo ") + stack.redoText());
    redoKey();
    redoKey();
    EXPECT_TRUE(samePixels(*shown(), *twice));
    EXPECT_FALSE(redo->isEnabled());
}

TEST_F(Editing, ADragInThePlaneIsOneEntry) {
    showPanel(test.window, QStringLiteral("plane"));
    auto* view = test.part<AttributePlaneView>("planeView");
    auto& plane = *test.window.findChild<vm::AttributePlaneViewModel*>();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return plane.state() == vm::AttributePlaneViewModel::State::ready &&
                   view->pixelOf({0, 0}).y() - view->pixelOf({0, 1}).y() > 40;
        },
        kPatience));
    const SharedImage before = shown();
    drag(view->viewport(), view->pixelOf({0.2, 0.2}).toPoint(), view->pixelOf({0.8, 0.9}).toPoint());
    ASSERT_TRUE(plane.rectangle());
    EXPECT_EQ(stack.count(), 1);
    const SharedImage drawn = shown();
    const QPoint middle = view->pixelOf(plane.rectanglePlaces()->center()).toPoint();
    drag(view->viewport(), middle, middle + QPoint(20, -10));
    EXPECT_EQ(stack.count(), 2);
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *drawn));
    EXPECT_TRUE(plane.rectangle()) << "it goes along";
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *before));
    EXPECT_FALSE(plane.rectangle());
    redoKey();
    EXPECT_TRUE(samePixels(*shown(), *drawn));
}

TEST_F(Editing, ControlsOfEveryKindAreTakenBackInTheirOrder) {
    filter.setMinimum(30);
    const SharedImage filtered = shown();
    auto* rule = test.part<QComboBox>("rule");
    rule->setFocus();
    QTest::keyClick(rule, Qt::Key_Down);
    EXPECT_NE(filter.rule(), Rule::direct);
    QCoreApplication::processEvents(); // after the key release
    test.window.actionList().minTree->trigger();
    ASSERT_TRUE(test.settle());
    test.part<QCheckBox>("filterEnabled")->click();
    const SharedImage off = shown();
    EXPECT_EQ(stack.count(), 4);
    EXPECT_EQ(stack.undoText(), QStringLiteral("filter off"));
    undo->trigger();
    EXPECT_TRUE(filter.isEnabled());
    undo->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.choices().treeKind(), TreeKind::max);
    EXPECT_TRUE(test.window.actionList().maxTree->isChecked());
    undo->trigger();
    EXPECT_EQ(rule->currentData().toInt(), static_cast<int>(Rule::direct));
    EXPECT_TRUE(samePixels(*shown(), *filtered));
    while (redo->isEnabled()) {
        redo->trigger();
    }
    EXPECT_TRUE(samePixels(*shown(), *off));
}

TEST_F(Editing, APresetIsOneEntry) {
    const SharedImage before = shown();
    auto& presets = *test.window.findChild<vm::PresetViewModel*>();
    const int preset = 0;
    filter.setRule(Rule::max); // so that there is a state to replace
    const auto state = filter.state();
    test.part<QAction>(("preset-" + presets.name(preset).toStdString()).c_str())->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(stack.count(), 2);
    EXPECT_TRUE(stack.undoText().contains(presets.title(preset)));
    undoKey();
    EXPECT_EQ(filter.state(), state);
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *before));
}

TEST_F(Editing, EditMenuHasBoth) {
    bool found = false;
    for (const QAction* menu : test.window.menuBar()->actions()) {
        found = found || menu->menu()->actions().contains(undo);
    }
    EXPECT_TRUE(found);
}

TEST_F(Editing, OnlyTheComponentStaysAndItsGroupsAreMeasured) {
    // A square of level 90 with a core of 200 and a square of 60, on 20.
    test.open("squares", makeImage(PixelType::u8, 80, 60, [](std::uint32_t x, std::uint32_t y) {
                  if (y < 20 || y >= 40 || x % 40 < 10 || x % 40 >= 30) {
                      return 20;
                  }
                  return x >= 15 && x < 25 && y >= 25 && y < 35 ? 200 : x < 40 ? 90 : 60;
              }));
    showPanel(test.window, QStringLiteral("component"));
    test.models.chain.hold({12.5, 22.5});
    auto& inspector = *test.window.findChild<vm::InspectorViewModel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspector.node().has_value(); }, kPatience));
    test.part<QAbstractButton>("inspectorOnly")->click();
    const SharedImage only = shown();
    EXPECT_EQ(only->level(22 * 80 + 12), 90);
    EXPECT_EQ(only->level(30 * 80 + 20), 200) << "with all in it";
    EXPECT_EQ(only->level(30 * 80 + 60), 20);
    EXPECT_EQ(stack.undoText(), QStringLiteral("only one component"));
    EXPECT_TRUE(samePixels(*test.directResult(filter.spec()), *only));
    test.models.chain.toChild();
    test.part<QAbstractButton>("inspectorOnly")->click(); // replaces the first
    const SharedImage core = shown();
    EXPECT_EQ(core->level(22 * 80 + 12), 20);
    EXPECT_EQ(core->level(30 * 80 + 20), 200);
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *only));
    undoKey();
    EXPECT_TRUE(samePixels(*shown(), *test.models.document.image()));

    EXPECT_FALSE(inspector.value(AttributeId::perimeter).has_value());
    test.part<QAbstractButton>("inspectorMeasure")->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return inspector.value(AttributeId::perimeter).has_value(); }, kPatience));
    for (int group = 0; group < inspector.rowCount(); ++group) {
        EXPECT_TRUE(test.part<QTreeView>("inspectorTree")->isExpanded(inspector.index(group, 0)));
    }
}

} // namespace
} // namespace pollard::app

// Objects edited by hand in the real window: tools, keys, gestures, undo.
#include "app/test_window.hpp"

#include "overlays/overlay_layer.hpp"
#include "window/panel_dock.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <cstdint>
#include <vector>

namespace pollard::app {
namespace {

using State = vm::ObjectsViewModel::State;
using vm::LabelTool;

/// Two bright discs that touch, and a third one.
SharedImage threeDiscs() {
    return makeImage(PixelType::u8, 120, 80, [](std::uint32_t x, std::uint32_t y) {
        const auto holds = [&](double cx, double cy) { return std::hypot(x - cx, y - cy) < 11; };
        return holds(20, 22) || holds(40, 22) || holds(90, 50) ? 200U : 20U;
    });
}

class ObjectsDockEdit : public ::testing::Test {
protected:
    TestWindow test;
    vm::LabelEditViewModel& edits = test.models.labelEdits;
    vm::ObjectTableModel& table = test.models.objectTable;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return !edits.isBusy() && !table.isListing() &&
                                               test.models.objects.state() != State::computing;
                                    },
                                    kPatience);
    }
    void open() {
        test.open("discs", threeDiscs());
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        test.models.display.setZoom(3);
        test.models.display.setCentre({60, 40});
        ASSERT_TRUE(test.isLaidOut());
        ASSERT_EQ(table.rowCount(), 2) << "two touch";
        test.part<QToolButton>("objectsEdit")->click();
        ASSERT_TRUE(edits.isOn());
        test.window.canvas()->setFocus();
    }
    [[nodiscard]] QPoint place(double x, double y) {
        return test.part<OverlayLayer>("overlayLayer")->scene().toSurface({x, y}).toPoint();
    }
    void drag(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* const canvas = test.window.canvas();
        QTest::mousePress(canvas, Qt::LeftButton, modifiers, place(from.x(), from.y()));
        QTest::mouseMove(canvas, place((from.x() + to.x()) / 2, (from.y() + to.y()) / 2));
        QTest::mouseMove(canvas, place(to.x(), to.y()));
        QTest::mouseRelease(canvas, Qt::LeftButton, modifiers, place(to.x(), to.y()));
        ASSERT_TRUE(rests());
    }
    void press(Qt::Key key) {
        QTest::keyClick(test.window.canvas(), key);
        ASSERT_TRUE(rests());
    }
};

TEST_F(ObjectsDockEdit, KeysChooseToolsAndTheSizeOfTheBrush) {
    open();
    press(Qt::Key_B);
    EXPECT_EQ(edits.tool(), LabelTool::brush);
    const int brush = edits.brush();
    press(Qt::Key_BracketRight);
    EXPECT_GT(edits.brush(), brush);
    press(Qt::Key_BracketLeft);
    press(Qt::Key_BracketLeft);
    EXPECT_LT(edits.brush(), brush);
    press(Qt::Key_C);
    EXPECT_EQ(edits.tool(), LabelTool::cut);
    press(Qt::Key_Escape);
    EXPECT_EQ(edits.tool(), LabelTool::none);
    press(Qt::Key_Escape);
    EXPECT_FALSE(edits.isOn());
    EXPECT_FALSE(test.part<QToolButton>("objectsEdit")->isChecked());
}

TEST_F(ObjectsDockEdit, ALineCutsObjectsThatTouchAndUndoJoinsThem) {
    open();
    press(Qt::Key_C);
    drag({30.5, 5}, {30.5, 40});
    EXPECT_EQ(table.rowCount(), 3);
    EXPECT_TRUE(test.part<QPushButton>("labelFindAgain")->isVisible());
    test.models.history.undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 2);
    EXPECT_FALSE(test.part<QPushButton>("labelFindAgain")->isVisible());
    test.models.history.redo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 3);
}

TEST_F(ObjectsDockEdit, StrokesPaintEraseJoinAndDelete) {
    open();
    press(Qt::Key_B);
    drag({70, 15}, {80, 15});
    EXPECT_EQ(table.rowCount(), 3);
    press(Qt::Key_J);
    drag({90, 50}, {75, 15});
    EXPECT_EQ(table.rowCount(), 2);
    press(Qt::Key_E);
    drag({90, 50}, {90, 50});
    EXPECT_EQ(table.rowCount(), 2);
    QTest::mouseMove(test.window.canvas(), place(20, 22));
    press(Qt::Key_Delete);
    EXPECT_EQ(table.rowCount(), 1);
}

TEST_F(ObjectsDockEdit, KeysDrawWithoutAMouse) {
    open();
    press(Qt::Key_B);
    press(Qt::Key_Right); // the crosshair is in the middle of the view
    press(Qt::Key_Space);
    ASSERT_TRUE(edits.isDrawing());
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    press(Qt::Key_Space);
    EXPECT_FALSE(edits.isDrawing());
    ASSERT_EQ(table.rowCount(), 3);
    press(Qt::Key_Delete);
    EXPECT_EQ(table.rowCount(), 2) << "the object below the crosshair";
    press(Qt::Key_P);
    for (const Qt::Key way : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Up}) {
        press(Qt::Key_Space);
        for (int i = 0; i < 3; ++i) {
            press(way);
        }
    }
    press(Qt::Key_Space);
    press(Qt::Key_Return);
    EXPECT_EQ(table.rowCount(), 3) << "a square";
    press(Qt::Key_Escape);
    EXPECT_EQ(edits.tool(), LabelTool::polygon) << "the crosshair goes first";
    press(Qt::Key_T);
    press(Qt::Key_Space);
    EXPECT_TRUE(test.models.chain.isHeld());
    press(Qt::Key_Return);
    EXPECT_TRUE(edits.isEdited());
}

TEST_F(ObjectsDockEdit, ClicksSetTheCornersOfAPolygon) {
    open();
    press(Qt::Key_P);
    for (const QPointF& corner : {QPointF(60, 5), QPointF(80, 5), QPointF(80, 25), QPointF(60, 25)}) {
        QTest::mouseMove(test.window.canvas(), place(corner.x(), corner.y()));
        QTest::mouseClick(test.window.canvas(), Qt::LeftButton, Qt::NoModifier, place(corner.x(), corner.y()));
    }
    QTest::mouseMove(test.window.canvas(), place(110, 70));
    press(Qt::Key_Return);
    ASSERT_EQ(table.rowCount(), 3);
    const ComponentRecord& drawn = table.listing()->found->components.objects.back();
    EXPECT_NEAR(static_cast<double>(drawn.area), 400, 45) << "without the place of the pointer";
}

TEST_F(ObjectsDockEdit, TheSelectedObjectGetsAnotherNumberAndAClass) {
    open();
    auto* const number = test.part<QSpinBox>("labelNumber");
    EXPECT_FALSE(number->isEnabled());
    table.marks().select(std::vector<std::uint32_t>{1});
    ASSERT_TRUE(number->isEnabled());
    EXPECT_EQ(number->value(), 1);
    number->setValue(2);
    emit number->editingFinished();
    auto* const join = test.part<QPushButton>("labelJoin");
    EXPECT_TRUE(join->isVisible()) << "another object has it";
    EXPECT_FALSE(edits.isEdited());
    number->setValue(30);
    emit number->editingFinished();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(join->isVisible());
    ASSERT_EQ(table.marks().selectedCount(), 1);
    EXPECT_EQ(number->value(), 30);
    auto* const classes = test.part<QComboBox>("labelClass");
    classes->setCurrentIndex(classes->count() - 1);
    emit classes->activated(classes->currentIndex());
    ASSERT_TRUE(rests());
    ASSERT_EQ(test.models.objects.classes().rowCount(), 1);
    EXPECT_EQ(test.models.objects.classes().counts().front(), 1U);
    EXPECT_EQ(classes->currentIndex(), 1);
    test.models.history.undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.models.objects.classes().rowCount(), 0);
}

TEST_F(ObjectsDockEdit, AGestureWithoutAnEffectIsExplained) {
    open();
    press(Qt::Key_C);
    drag({1, 70}, {10, 70});
    EXPECT_FALSE(test.part<QLabel>("labelState")->text().isEmpty());
    EXPECT_FALSE(edits.isEdited());
}

TEST_F(ObjectsDockEdit, TheWheelGrowsTheComponentThatIsTaken) {
    open();
    press(Qt::Key_T);
    QTest::mouseClick(test.window.canvas(), Qt::LeftButton, Qt::NoModifier, place(90, 50));
    ASSERT_TRUE(test.models.chain.isHeld());
    press(Qt::Key_Return);
    EXPECT_EQ(table.rowCount(), 2) << "the component was this object";
    EXPECT_TRUE(edits.isEdited());
    press(Qt::Key_Up);
    press(Qt::Key_Return);
    EXPECT_EQ(table.rowCount(), 1) << "the whole image";
}

} // namespace
} // namespace pollard::app

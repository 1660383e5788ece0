#include "canvas/canvas_input.hpp"

#include "vm/document/document_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QStringList>
#include <QTest>
#include <gtest/gtest.h>

namespace pollard::app {
namespace {

/// Takes presses and the left arrow key while `takes` is set, and records them.
class RecordingTool : public CanvasTool {
public:
    bool press(const QMouseEvent&) override {
        calls << QStringLiteral("press");
        return takes;
    }
    void drag(const QMouseEvent&) override { calls << QStringLiteral("drag"); }
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override { return takes && event.key() == Qt::Key_Left; }
    void key(const QKeyEvent&) override { calls << QStringLiteral("key"); }

    QStringList calls;
    bool takes = false;
};

/// An image of 4 x 3 px, 100 times enlarged on a surface of 400 x 300 px.
class InputOfTheCanvas : public ::testing::Test {
protected:
    InputOfTheCanvas() {
        document.open(QStringLiteral("a.tif"));
        EXPECT_TRUE(testing::eventually([&] { return document.hasImage() && !document.activity().isBusy(); }));
        surface.resize(400, 300);
        surface.setMouseTracking(true);
        display.setViewSize(QSizeF(surface.size()) * surface.devicePixelRatioF());
        input.addTool(below);
        input.addToolAboveSplit(above);
        input.setHasImage(true);
    }
    void mouse(QEvent::Type type, QPointF place) {
        const bool held = type == QEvent::MouseButtonPress || type == QEvent::MouseMove;
        QMouseEvent event(type, place, place, Qt::LeftButton, held ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&surface, &event);
    }
    void drag(QPointF from, QPointF to) {
        mouse(QEvent::MouseButtonPress, from);
        mouse(QEvent::MouseMove, to);
        mouse(QEvent::MouseButtonRelease, to);
    }

    testing::FakeWorld world;
    vm::DocumentViewModel document{testing::fakeServices(world)};
    vm::DisplayViewModel display{document};
    QWidget surface;
    CanvasInput input{surface, display};
    RecordingTool above;
    RecordingTool below;
};

TEST_F(InputOfTheCanvas, GoesToToolsBeforeItMovesLineAndImage) {
    display.setSplitEnabled(true);
    const QPointF centre = display.centre();
    drag({200, 150}, {300, 150});
    EXPECT_NEAR(display.splitPosition(), 0.75, 1e-9);
    EXPECT_EQ(above.calls, QStringList{"press"});
    EXPECT_TRUE(below.calls.isEmpty()) << "the line lies above this tool";

    below.takes = true;
    drag({100, 150}, {110, 150});
    EXPECT_EQ(below.calls, (QStringList{"press", "drag"}));
    EXPECT_EQ(display.centre(), centre);
    below.takes = false;
    drag({100, 150}, {110, 130});
    EXPECT_NEAR(display.centre().x(), centre.x() - 0.1, 1e-9);
    EXPECT_NEAR(display.centre().y(), centre.y() + 0.2, 1e-9);

    above.takes = true;
    drag({300, 150}, {200, 150});
    EXPECT_EQ(above.calls.back(), QStringLiteral("drag"));
    EXPECT_NEAR(display.splitPosition(), 0.75, 1e-9);
}

TEST_F(InputOfTheCanvas, ClicksWithoutMovement) {
    QSignalSpy clicked(&input, &CanvasInput::clicked);
    drag({250, 50}, {250, 50});
    ASSERT_EQ(clicked.count(), 1);
    EXPECT_EQ(clicked.back().at(0).toPointF(), QPointF(2.5, 0.5));
    drag({250, 50}, {350, 50});
    EXPECT_EQ(clicked.count(), 1);
    mouse(QEvent::MouseButtonDblClick, {250, 50});
    EXPECT_TRUE(display.isFitting());
    drag({250, 50}, {350, 50});
    below.takes = true;
    mouse(QEvent::MouseButtonDblClick, {250, 50});
    EXPECT_FALSE(display.isFitting()) << "a tool takes a double click like a press";
    EXPECT_EQ(below.calls.back(), QStringLiteral("press"));
    input.setHasImage(false);
    below.calls.clear();
    drag({250, 50}, {250, 50});
    EXPECT_TRUE(below.calls.isEmpty());
    EXPECT_EQ(clicked.count(), 1);
}

TEST_F(InputOfTheCanvas, MovesImageAndLineByKeys) {
    const QPointF centre = display.centre();
    QTest::keyClick(&surface, Qt::Key_Right);
    EXPECT_GT(display.centre().x(), centre.x());
    display.setSplitEnabled(true);
    QTest::keyClick(&surface, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_NEAR(display.splitPosition(), 0.52, 1e-9);
    below.takes = true;
    const QPointF before = display.centre();
    QTest::keyClick(&surface, Qt::Key_Left);
    EXPECT_EQ(below.calls, QStringList{"key"});
    EXPECT_EQ(display.centre(), before);
}

TEST_F(InputOfTheCanvas, ReportsThePixelUnderAPointerUntilItLeaves) {
    QSignalSpy moved(&input, &CanvasInput::pointerMoved);
    mouse(QEvent::MouseMove, {100, 100});
    ASSERT_EQ(moved.count(), 1);
    EXPECT_EQ(moved.back().at(0).toPointF(), QPointF(1, 1));
    display.setZoom(200);
    ASSERT_EQ(moved.count(), 2);
    EXPECT_EQ(moved.back().at(0).toPointF(), QPointF(1.5, 1.25));
    QSignalSpy left(&input, &CanvasInput::pointerLeft);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&surface, &leave);
    EXPECT_EQ(left.count(), 1);
    display.setZoom(100);
    EXPECT_EQ(moved.count(), 2);
}

} // namespace
} // namespace pollard::app

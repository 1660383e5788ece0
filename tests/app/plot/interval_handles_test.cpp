#include "plot/interval_handles.hpp"

#include <QImage>
#include <QKeyEvent>
#include <QPainter>
#include <QWidget>
#include <gmock/gmock.h>

#include <utility>

namespace pollard::app {
namespace {

using Part = IntervalHandles::Part;
using Line = IntervalHandles::Line;

constexpr double kReach = 7;

/// Values 0 to 100 at 10 to 210 px.
Line lineOf(double low, double high) {
    return {.left = 10, .length = 200, .ends = {0, 100}, .value = {low, high}, .limits = {0, 100}};
}

TEST(IntervalHandles, ValuesAndPixelsAreInverse) {
    const Line line = lineOf(20, 60);
    for (const double value : {0.0, 12.5, 100.0}) {
        EXPECT_DOUBLE_EQ(line.valueAt(line.pixelOf(value)), value);
    }
    EXPECT_EQ(line.pixelOf(-5), 10) << "at the end of the line";
    EXPECT_EQ(line.pixelOf(500), 210);
    EXPECT_EQ(line.valueAt(0), 0);
    EXPECT_EQ(line.valueAt(500), 100);
    Line stepped = line;
    stepped.step = 5;
    EXPECT_EQ(stepped.valueAt(line.pixelOf(12)), 10);
    EXPECT_EQ(stepped.valueAt(line.pixelOf(13)), 15);
}

TEST(IntervalHandles, ThePartUnderThePointerIsAHandleWithinReachOrWhatLiesBetween) {
    const IntervalHandles handles(kReach);
    const Line line = lineOf(20, 60); // 50 and 130 px
    EXPECT_EQ(handles.partAt(line, 12), Part::low);
    EXPECT_EQ(handles.partAt(line, 57), Part::low);
    EXPECT_EQ(handles.partAt(line, 58), Part::both);
    EXPECT_EQ(handles.partAt(line, 122), Part::both);
    EXPECT_EQ(handles.partAt(line, 123), Part::high);
    EXPECT_EQ(handles.partAt(line, 209), Part::high);
    Line fixed = line;
    fixed.movable = false;
    EXPECT_EQ(handles.partAt(fixed, 50), Part::none);
}

TEST(IntervalHandles, AFullIntervalIsResizedUnlessItSlides) {
    const IntervalHandles handles(kReach);
    Line line = lineOf(0, 100);
    EXPECT_EQ(handles.partAt(line, 100), Part::low);
    EXPECT_EQ(handles.partAt(line, 120), Part::high);
    line.slidesWhenFull = true;
    EXPECT_EQ(handles.partAt(line, 100), Part::both);
}

TEST(IntervalHandles, OfTwoAtOnePlaceTheOneThatCanMoveToThePointerIsTaken) {
    const IntervalHandles handles(kReach);
    EXPECT_EQ(handles.partAt(lineOf(50, 50), 108), Part::low);
    EXPECT_EQ(handles.partAt(lineOf(50, 50), 112), Part::high);
    EXPECT_EQ(handles.partAt(lineOf(0, 0), 8), Part::high);
    EXPECT_EQ(handles.partAt(lineOf(100, 100), 212), Part::low);
}

TEST(IntervalHandles, ADraggedHandleStopsAtTheOther) {
    IntervalHandles handles(kReach);
    Line line = lineOf(20, 60);
    line.step = 2;
    handles.press(line, 50);
    EXPECT_EQ(handles.dragged(), Part::low);
    EXPECT_EQ(handles.drag(line, 70).low, 30);
    EXPECT_EQ(handles.drag(line, 70).high, 60);
    EXPECT_EQ(handles.drag(line, 200).low, 58);
    handles.press(line, 130);
    EXPECT_EQ(handles.drag(line, 30).high, 22);
    EXPECT_EQ(handles.drag(line, 500).high, 100);
    handles.release();
    EXPECT_EQ(handles.dragged(), Part::none);
    EXPECT_EQ(handles.drag(line, 30).high, 60);
}

TEST(IntervalHandles, BothKeepTheirDistanceAndStopAtTheLimits) {
    IntervalHandles handles(kReach);
    Line line = lineOf(20, 60);
    handles.press(line, 90);
    const auto expect = [&](double pixel, double low) {
        const auto moved = handles.drag(line, pixel);
        EXPECT_DOUBLE_EQ(moved.low, low);
        EXPECT_DOUBLE_EQ(moved.high, low + 40);
        line.value = moved;
    };
    expect(100, 25);
    expect(500, 60);
    expect(-500, 0);
    expect(90, 20);
    line.limits = {10, 200};
    expect(10, 10);
}

TEST(IntervalHandles, TheCursorNamesThePart) {
    const IntervalHandles handles(kReach);
    QWidget widget;
    Line line = lineOf(20, 60);
    handles.showCursor(widget, line, 50);
    EXPECT_EQ(widget.cursor().shape(), Qt::SplitHCursor);
    handles.showCursor(widget, line, 90);
    EXPECT_EQ(widget.cursor().shape(), Qt::OpenHandCursor);
    line.movable = false;
    handles.showCursor(widget, line, 90);
    EXPECT_EQ(widget.cursor().shape(), Qt::ArrowCursor);
}

TEST(IntervalHandles, ArrowsMoveTheLowerHandleAndWithShiftTheUpper) {
    const auto keyOf = [](int key, Qt::KeyboardModifiers modifiers) {
        return IntervalHandles::keyOf(QKeyEvent(QEvent::KeyPress, key, modifiers));
    };
    EXPECT_EQ(keyOf(Qt::Key_Left, Qt::NoModifier), std::pair(Part::low, -1));
    EXPECT_EQ(keyOf(Qt::Key_Right, Qt::ShiftModifier), std::pair(Part::high, 1));
    EXPECT_EQ(keyOf(Qt::Key_Up, Qt::NoModifier).first, Part::none);
}

TEST(IntervalHandles, HandlesArePaintedAtTheirPlaces) {
    QWidget widget;
    QImage image(220, 60, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    IntervalHandles::paint(painter, lineOf(20, 60), {10, 5, 200, 50}, widget);
    painter.end();
    const auto painted = [&](int x, int y) { return image.pixelColor(x, y).alpha() > 0; };
    for (const int x : {50, 130}) {
        EXPECT_TRUE(painted(x, 6)) << "line at " << x;
        EXPECT_TRUE(painted(x - 3, 30)) << "grip at " << x;
        EXPECT_FALSE(painted(x - 3, 10));
    }
    EXPECT_FALSE(painted(90, 30));
}

} // namespace
} // namespace pollard::app

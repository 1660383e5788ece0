// Widgets painted per frame of the window.
#include "app/test_window.hpp"
#include "canvas/frame_schedule.hpp"
#include "overlays/overlay_layer.hpp"
#include "widgets/panel_parts.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <gtest/gtest.h>

#include <optional>

namespace pollard::app {
namespace {

/// Counts events of one type sent to a widget.
class EventCounter : public QObject {
public:
    EventCounter(QObject& watched, QEvent::Type type) : type_(type) { watched.installEventFilter(this); }
    [[nodiscard]] int count() const noexcept { return count_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        count_ += event->type() == type_ ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }

private:
    QEvent::Type type_;
    int count_ = 0;
};

class Frames : public ::testing::Test {
protected:
    Frames() {
        test.open("noise", makeNoise(96));
        EXPECT_TRUE(rest());
    }

    /// Waits until no paint is pending.
    [[nodiscard]] bool rest() {
        EventCounter paintings(*QCoreApplication::instance(), QEvent::Paint);
        return test.settle() && QTest::qWaitFor(
                                    [&] {
                                        const int before = paintings.count();
                                        for (int turn = 0; turn < 10; ++turn) {
                                            QCoreApplication::processEvents();
                                        }
                                        return paintings.count() == before && test.settle();
                                    },
                                    kPatience);
    }

    TestWindow test;
    Canvas& canvas = *test.window.canvas();
    QLabel& probe = *test.part<QLabel>("probe");
};

TEST_F(Frames, OfTheWindowLeaveTheCanvassPartAlone) {
    auto* overlays = test.part<OverlayLayer>("overlayLayer");
    EventCounter above(*overlays, QEvent::Paint);
    EventCounter beside(probe, QEvent::Paint);
    const int paints = canvas.paints();
    probe.update();
    canvas.wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return beside.count() > 0 && canvas.paints() > paints; }, kPatience));
    EXPECT_EQ(above.count(), 0) << "Qt painted the window where the canvas is";
    EXPECT_EQ(canvas.paints(), paints + 1);
}

TEST_F(Frames, OfTheCanvasComeWithoutAnythingElse) {
    const int paints = canvas.paints();
    EventCounter above(*test.part<OverlayLayer>("overlayLayer"), QEvent::Paint);
    canvas.wantFrame();
    canvas.wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.paints() > paints; }, kPatience));
    ASSERT_TRUE(rest());
    EXPECT_EQ(above.count(), 0);
    EXPECT_EQ(canvas.paints(), paints + 1);
}

TEST_F(Frames, AreNotLostWhileAResultIsAwaited) {
    for (int minimum = 2; minimum < 12; ++minimum) {
        EventCounter values(probe, QEvent::Paint);
        test.models.filter.setMinimum(minimum);
        probe.update();
        ASSERT_TRUE(QTest::qWaitFor([&] { return values.count() > 0; }, kPatience)) << minimum;
        ASSERT_TRUE(test.settle());
    }
}

TEST_F(Frames, OfAControlAndItsResultAreOne) {
    // Only a result that arrives in time shares the frame, which a busy machine can miss: some of many must.
    QWidget& range = *test.part<QWidget>("range");
    int shared = 0;
    for (int minimum = 2; minimum < 42; ++minimum) {
        ASSERT_TRUE(rest());
        EventCounter controls(range, QEvent::Paint);
        QSignalSpy frames(&canvas, &GlSurface::frameSwapped);
        int before = 0; // controls painted at the first frame
        QObject::connect(
            &canvas, &GlSurface::frameSwapped, &canvas, [&] { before = controls.count(); }, Qt::SingleShotConnection);
        test.models.filter.setMinimum(minimum);
        ASSERT_TRUE(rest());
        ASSERT_EQ(test.models.document.resultSpec(), test.models.filter.spec());
        shared += frames.count() == 1 && controls.count() == 1 && before == 1 ? 1 : 0;
    }
    EXPECT_GT(shared, 0);
}

class Schedule : public ::testing::Test {
protected:
    Schedule() {
        QObject::connect(&schedule, &FrameSchedule::due, &schedule, [this](bool draw) {
            ++(draw ? drawn : shown);
            windowFramesAtLast = windowFrames.count();
        });
        window.show();
        EXPECT_TRUE(appears(window));
        schedule.followWindow();
        QCoreApplication::processEvents();
    }
    /// @returns whether a frame of the window is painted at once
    [[nodiscard]] bool paintsWindow() {
        const int before = windowFrames.count();
        QEvent request(QEvent::UpdateRequest);
        QCoreApplication::sendEvent(&window, &request);
        return windowFrames.count() > before;
    }

    QWidget window;
    QWidget surface{&window};
    EventCounter windowFrames{window, QEvent::UpdateRequest};
    std::optional<double> time; ///< ms, expected
    FrameSchedule schedule{surface, [this] { return time; }};
    int drawn = 0;
    int shown = 0;
    int windowFramesAtLast = 0;
};

TEST_F(Schedule, MakesOneFrameOfSeveralRequests) {
    schedule.requestShowing();
    schedule.requestDrawing();
    schedule.requestShowing();
    QCoreApplication::processEvents();
    EXPECT_EQ(drawn, 1);
    EXPECT_EQ(shown, 0);
    schedule.requestShowing();
    QCoreApplication::processEvents();
    EXPECT_EQ(drawn, 1);
    EXPECT_EQ(shown, 1);
}

TEST_F(Schedule, HoldsTheWindowBackForAQuickResult) {
    EXPECT_TRUE(paintsWindow()) << "no filter runs";
    time = FrameSchedule::kPatience;
    EXPECT_TRUE(paintsWindow()) << "the result takes too long";
    time = 1;
    const int before = windowFrames.count();
    ASSERT_FALSE(paintsWindow());
    schedule.requestDrawing(); // of the result
    ASSERT_TRUE(QTest::qWaitFor([&] { return drawn == 1; }, kPatience));
    EXPECT_EQ(windowFramesAtLast, before + 1) << "the window comes first";
    schedule.requestDrawing();
    EXPECT_TRUE(paintsWindow()) << "the result is there";
}

TEST_F(Schedule, HoldsTheWindowBackOnceForAResult) {
    time = 1;
    const int before = windowFrames.count();
    ASSERT_FALSE(paintsWindow());
    ASSERT_TRUE(QTest::qWaitFor([&] { return windowFrames.count() > before; }, kPatience)) << "the frame is lost";
    EXPECT_TRUE(paintsWindow()) << "the same result is still awaited";
    schedule.takeResult();
    EXPECT_FALSE(paintsWindow());
}

TEST(FixedSizeLabel, KeepsTheRoomOfTheWidestText) {
    QWidget parent;
    auto* layout = new QVBoxLayout(&parent);
    auto* label = new FixedSizeLabel<QLabel>(&parent);
    layout->addWidget(label);
    label->showText(QStringLiteral("1,234"));
    parent.show();
    ASSERT_TRUE(appears(parent));
    const int narrow = label->minimumWidth();
    EXPECT_GE(narrow, label->fontMetrics().horizontalAdvance(label->text()));
    label->showText(QStringLiteral("1,234,567"));
    const int wide = label->minimumWidth();
    EXPECT_GT(wide, narrow);
    EXPECT_GE(wide, label->fontMetrics().horizontalAdvance(label->text()));
    QCoreApplication::processEvents();

    EventCounter layouts(parent, QEvent::LayoutRequest);
    label->showText(QStringLiteral("12"));
    QCoreApplication::sendPostedEvents();
    EXPECT_EQ(label->minimumWidth(), wide);
    EXPECT_EQ(label->text(), QStringLiteral("12"));
    EXPECT_EQ(layouts.count(), 0);

    QFont large = label->font();
    large.setPointSizeF(2 * large.pointSizeF());
    label->showText(QStringLiteral("1,234,567"));
    label->setFont(large);
    EXPECT_GT(label->minimumWidth(), wide);
}

TEST(FixedSizeLabel, KeepsTheRoomItWasGiven) {
    FixedSizeLabel<QLabel> label;
    label.setMinimumWidth(500);
    label.showText(QStringLiteral("12"));
    for (const QEvent::Type type : {QEvent::StyleChange, QEvent::FontChange}) {
        QEvent change(type);
        QCoreApplication::sendEvent(&label, &change);
        EXPECT_EQ(label.minimumWidth(), 500);
    }
}

TEST(FixedHeightLabel, KeepTheRoomOfTheLongestText) {
    QWidget parent;
    auto* layout = new QVBoxLayout(&parent);
    auto* lines = new FixedHeightLabel(2, &parent);
    layout->addWidget(lines);
    layout->addStretch(1);
    parent.resize(200, 400);
    parent.show();
    ASSERT_TRUE(appears(parent));
    const int line = lines->label().fontMetrics().lineSpacing();
    lines->showText(QStringLiteral("short"));
    EXPECT_GE(lines->minimumHeight(), 2 * line);
    const int low = lines->minimumHeight();
    lines->showText(QStringLiteral("many words ").repeated(20));
    const int high = lines->minimumHeight();
    EXPECT_GT(high, low);
    EXPECT_GE(high, lines->label().heightForWidth(lines->width()));
    QCoreApplication::processEvents();

    EventCounter layouts(parent, QEvent::LayoutRequest);
    lines->showText(QStringLiteral("short"));
    QCoreApplication::sendPostedEvents();
    EXPECT_EQ(lines->minimumHeight(), high);
    EXPECT_EQ(layouts.count(), 0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return lines->label().height() == lines->height(); }, kPatience));
    parent.resize(400, 400);
    EXPECT_TRUE(QTest::qWaitFor([&] { return lines->minimumHeight() < high; }, kPatience));
}

} // namespace
} // namespace pollard::app

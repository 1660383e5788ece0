// Which widgets are painted with which frame of the window.
#include "chain_view_model.hpp"
#include "overlays/overlay_layer.hpp"
#include "test_window.hpp"
#include "widgets/steady_label.hpp"
#include "window/panel_dock.hpp"
#include "window/panel_pace.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QVBoxLayout>
#include <gtest/gtest.h>

namespace pollard::app {
namespace {

/// Counts events of one type that a widget gets.
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
        showPanel(test.window, QStringLiteral("chain"));
        EXPECT_TRUE(QTest::qWaitFor([this] { return chain.isActive() && canvas.lights(); }, kPatience));
        EXPECT_TRUE(rest());
    }

    /// Waits until nothing is left to paint.
    [[nodiscard]] bool rest() {
        const bool settled = test.settle() && QTest::qWaitFor([this] { return !pace.isHolding(); }, kPatience);
        QTest::qWait(2 * PanelPace::kPeriod);
        return settled && test.settle();
    }

    /// Points at the middle of a pixel.
    void pointAt(int x, int y) {
        const QPointF place = test.models.display.view().toView({x + 0.5, y + 0.5}) / canvas.devicePixelRatioF();
        QMouseEvent event(QEvent::MouseMove, place, canvas.mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&canvas, &event);
    }

    TestWindow test;
    Canvas& canvas = *test.window.canvas();
    vm::ChainViewModel& chain = test.models.chain;
    PanelPace& pace = *test.window.findChild<PanelPace*>();
    QTableView& table = *test.part<QTableView>("chainTable");
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
    canvas.wantFrame();
    canvas.wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.paints() > paints; }, kPatience));
    ASSERT_TRUE(rest());
    EXPECT_EQ(canvas.paints(), paints + 1);
}

TEST_F(Frames, WhilePointingShowThePictureFirst) {
    EventCounter rows(*table.viewport(), QEvent::Paint);
    EventCounter values(probe, QEvent::Paint);
    int rowsWithPicture = -1;
    int valuesWithPicture = -1;
    const int paints = canvas.paints();
    const auto watch = QObject::connect(&canvas, &QOpenGLWidget::frameSwapped, &canvas, [&] {
        if (canvas.paints() > paints && rowsWithPicture < 0) {
            rowsWithPicture = rows.count();
            valuesWithPicture = values.count();
        }
    });
    QSignalSpy shown(&pace, &PanelPace::panelsShown);
    pointAt(40, 40);
    EXPECT_TRUE(pace.isHolding());
    EXPECT_EQ(table.model()->rowCount(), chain.rowCount()) << "only painting waits";
    EXPECT_GT(chain.rowCount(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return rows.count() > 0 && values.count() > 0; }, kPatience));
    QObject::disconnect(watch);
    EXPECT_EQ(rowsWithPicture, 0);
    EXPECT_EQ(valuesWithPicture, 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pace.isHolding() && !shown.isEmpty(); }, kPatience));
    EXPECT_TRUE(table.updatesEnabled());
    EXPECT_TRUE(probe.updatesEnabled());
}

TEST_F(Frames, ShowThePanelsOfAPointerThatNeverRests) {
    QSignalSpy shown(&pace, &PanelPace::panelsShown);
    int x = 0;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            pointAt(x++ % 96, 50);
            return shown.size() >= 2;
        },
        kPatience));
    // Within one component the canvas has nothing to draw.
    ASSERT_TRUE(rest());
    EventCounter values(probe, QEvent::Paint);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            pointAt(60, 60);
            return values.count() >= 1;
        },
        kPatience));
    EXPECT_TRUE(rest());
    EXPECT_TRUE(probe.updatesEnabled());
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

TEST(Steady, KeepsTheRoomOfTheWidestText) {
    QWidget parent;
    auto* layout = new QVBoxLayout(&parent);
    auto* label = new Steady<QLabel>(&parent);
    layout->addWidget(label);
    label->showText(QStringLiteral("1,234"));
    parent.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&parent));
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

TEST(SteadyLines, KeepTheRoomOfTheLongestText) {
    QWidget parent;
    auto* layout = new QVBoxLayout(&parent);
    auto* lines = new SteadyLines(2, &parent);
    layout->addWidget(lines);
    layout->addStretch(1);
    parent.resize(200, 400);
    parent.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&parent));
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

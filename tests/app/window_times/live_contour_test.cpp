// Results of --measure-live-contour.
#include "window_times/contour_measurement.hpp"

#include "app/docks/contour_dock.hpp"
#include "window_times/timed_engine.hpp"

#include "cpu/cpu_engine.hpp"

#include <QRegularExpression>
#include <QSignalSpy>

namespace pollard::app {
namespace {

TEST(LiveContour, IsTimedWhileItsStatesAreDrawnAndWhileTheyAreNot) {
    auto engine = std::make_unique<TimedEngine>(makeCpuEngine(), "device");
    TimedEngine& timed = *engine;
    TestWindow test(std::move(engine));
    vm::ContourViewModel& contours = test.models.contours;
    test.open("disc", disc());
    showPanel(test.window, QStringLiteral("contour"));
    contours.settings().setEngine({true, {}, {}});
    contours.startFrom({{{20, 20}, {100, 20}, {100, 100}, {20, 100}}}, {});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return contours.runs().stateCount() == 1 && !contours.isComputing(); }, kPatience));
    contours.playback().toEnd();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return contours.runs().isFinished() && !contours.playback().isPlaying(); }, kPatience));
    ASSERT_EQ(timed.takeEvolutions().size(), 1U);
    const int states = contours.runs().stateCount();

    LiveContourMeasurement measurement(test.models, test.window, 2, timed);
    QSignalSpy finished(&measurement, &LiveContourMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 4 * kPatience));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    const QString report = finished.at(0).at(0).toString();
    EXPECT_TRUE(report.startsWith(QStringLiteral("live contour: 2 runs of %1 states").arg(states)))
        << report.toStdString();
    const QRegularExpression form(QStringLiteral("while drawn median ([\\d.]+) ms.*while not drawn median ([\\d.]+) ms"
                                                 ".* ([\\d.]+) frames a second.*; (\\d+) of (\\d+) states"));
    const QRegularExpressionMatch match = form.match(report);
    ASSERT_TRUE(match.hasMatch()) << report.toStdString();
    EXPECT_GT(match.captured(1).toDouble(), 0);
    EXPECT_GT(match.captured(2).toDouble(), 0);
    EXPECT_GT(match.captured(3).toDouble(), 0);
    EXPECT_EQ(match.captured(5).toInt(), 2 * states);
    EXPECT_GT(match.captured(4).toInt(), 0);
    EXPECT_LE(match.captured(4).toInt(), 2 * states);
    EXPECT_TRUE(timed.takeEvolutions().empty()) << "each run has its time";
}

TEST(LiveContour, IsNotMeasuredWhereTheEngineDoesNotMoveIt) {
    TimedEngine idle(makeCpuEngine());
    TestWindow test;
    vm::ContourViewModel& contours = test.models.contours;
    test.open("disc", disc());
    showPanel(test.window, QStringLiteral("contour"));
    contours.startFrom({{{20, 20}, {100, 20}, {100, 100}, {20, 100}}}, {});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return contours.runs().stateCount() == 1 && !contours.isComputing(); }, kPatience));
    contours.playback().toEnd();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return contours.runs().isFinished() && !contours.playback().isPlaying(); }, kPatience));
    LiveContourMeasurement measurement(test.models, test.window, 1, idle);
    QSignalSpy finished(&measurement, &LiveContourMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 4 * kPatience));
    EXPECT_TRUE(finished.at(0).at(0).toString().isEmpty());
    EXPECT_TRUE(finished.at(0).at(1).toString().contains(QStringLiteral("not moved")));
}

} // namespace
} // namespace pollard::app

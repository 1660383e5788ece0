// Results of --measure-focus and --measure-cut.
#include "window_times/drag_measurement.hpp"
#include "window_times/focus_measurement.hpp"

#include "app/test_window.hpp"

#include "docks/tree/icicle_view.hpp"
#include "vm/tree/icicle_view_model.hpp"

#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>

namespace pollard::app {
namespace {

TEST(FocusMeasurementOf, StepsIntoComponentsAndBack) {
    TestWindow test;
    // Nested squares, side by side.
    test.open("squares", makeImage(PixelType::u8, 120, 60, [](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
                  return 20 + std::min({x % 40, 39 - x % 40, y, 59 - y}) * 10;
              }));
    FocusMeasurement focus(test.models, test.window, 4);
    QSignalSpy finished(&focus, &FocusMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    const QString report = finished.at(0).at(0).toString();
    const QRegularExpression form(
        QStringLiteral("^focus: 4 steps, event to screen median ([\\d.]+) ms, p95 [\\d.]+ ms; of it the event .*; "
                       "to the next frame .*; image at the end median ([\\d.]+) ms"));
    const QRegularExpressionMatch match = form.match(report);
    ASSERT_TRUE(match.hasMatch()) << report.toStdString();
    EXPECT_GT(match.captured(1).toDouble(), 0);
    EXPECT_GE(match.captured(2).toDouble(), match.captured(1).toDouble());
    EXPECT_GT(match.captured(2).toDouble(), IcicleAnimation::kDuration / 2) << "at the end of the movement";
    EXPECT_TRUE(test.window.findChild<vm::IcicleViewModel*>()->isWhole()) << "every other step leads back";
}

TEST(FocusMeasurementOf, AnImageWithoutComponentsSaysSo) {
    TestWindow test;
    test.open("flat", makeImage(PixelType::u8, 40, 30, [](std::uint32_t, std::uint32_t) { return 9; }));
    FocusMeasurement focus(test.models, test.window, 4);
    QSignalSpy finished(&focus, &FocusMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_EQ(finished.at(0).at(0).toString(), QString());
    EXPECT_TRUE(finished.at(0).at(1).toString().contains(QStringLiteral("no component")));
}

TEST(CutMeasurementOf, MovesTheSliderToTheScreen) {
    TestWindow test;
    test.open("squares", makeImage(PixelType::u8, 120, 60, [](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
                  return 20 + x % 40 * 3 + y % 20 * 5;
              }));
    CutMeasurement cut(test.models, test.window, 5);
    QSignalSpy finished(&cut, &CutMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    const QString report = finished.at(0).at(0).toString();
    const QRegularExpression form(
        QStringLiteral("^cut: 5 frames, slider to screen median ([\\d.]+) ms, p95 [\\d.]+ ms; of it the event median "
                       "[\\d.]+ ms, .*; 120 x 60, 8 bit, \\d+ basins$"));
    const QRegularExpressionMatch match = form.match(report);
    ASSERT_TRUE(match.hasMatch()) << report.toStdString();
    EXPECT_GT(match.captured(1).toDouble(), 0);
}

} // namespace
} // namespace pollard::app

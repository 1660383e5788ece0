// Colours on the canvas against the same formulas on the CPU: tone curves, maps, marks, comparison.
#include "app/test_window.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"
#include "theme/colours.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>

#include <cmath>

namespace pollard::app {
namespace {

using Compare = vm::CompareViewModel;

/// Colour of a map at 0..1, linear between the stops.
QColor mapColour(vm::ColourMap map, double t) {
    const std::vector<QColor> stops = colourStops(map);
    const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, stops.size() - 1);
    const double part = place - static_cast<double>(low);
    const auto mix = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
    return {mix(stops[low].red(), stops[high].red()), mix(stops[low].green(), stops[high].green()),
            mix(stops[low].blue(), stops[high].blue())};
}

MATCHER_P2(IsColour, expected, tolerance, expected.name().toStdString()) {
    *result_listener << arg.name().toStdString();
    return std::abs(arg.red() - expected.red()) <= tolerance && std::abs(arg.green() - expected.green()) <= tolerance &&
           std::abs(arg.blue() - expected.blue()) <= tolerance;
}

/// The levels 0, 17, 34 ... 255 (times 257 for 16 bits) as columns of 4 x 4 px.
SharedImage columns(PixelType type) {
    const int step = type == PixelType::u8 ? 17 : 17 * 257;
    return makeImage(type, 64, 4, [=](std::uint32_t x, std::uint32_t) { return static_cast<int>(x / 4) * step; });
}

class Tones : public ::testing::TestWithParam<PixelType> {
protected:
    TestWindow test;
    vm::DisplayViewModel& display = test.models.display;
    const double unit = GetParam() == PixelType::u8 ? 1 : 257;

    /// Compares all columns with @p expected for their level (in 0..255), and with the colours of overlays.
    void expectColumns(const std::function<QColor(double level)>& expected, int tolerance, const std::string& what) {
        const QImage shown = test.window.canvas()->grabFramebuffer();
        const vm::DocumentViewModel& document = test.models.document;
        const Tone tone = toneOf(display, document.resultSpec().output, display.wantsResult());
        const LevelColours overlay(tone, display.colourMap());
        for (std::size_t i = 0; i < 16; ++i) {
            const std::size_t pixel = i * 4 + 2;
            const QPointF place = display.view().toView({static_cast<double>(pixel), 2.0});
            const QColor colour = shown.pixelColor(place.toPoint());
            EXPECT_THAT(colour, IsColour(expected(static_cast<double>(i) * 17), tolerance))
                << what << ", level " << i * 17;
            const QColor same =
                overlay.shade(document.image()->level(pixel), document.result()->level(pixel), display.wantsResult());
            EXPECT_THAT(same, IsColour(colour, tolerance)) << what << " in overlays, level " << i * 17;
        }
    }
};

TEST_P(Tones, CurvesAndMapsAreThoseOfTheProcessor) {
    ASSERT_NO_FATAL_FAILURE(test.open("columns", columns(GetParam())));
    display.setWindow(20 * unit, 230 * unit);
    display.setGamma(0.45);
    for (const vm::ColourMap map : vm::kColourMaps) {
        for (const vm::ToneCurve curve : vm::kToneCurves) {
            for (const bool inverted : {false, true}) {
                display.setColourMap(map);
                display.setToneCurve(curve);
                display.setInverted(inverted);
                expectColumns(
                    [&](double level) {
                        const double t = vm::applyCurve(curve, 0.45, (level - 20) / 210);
                        return mapColour(map, inverted ? 1 - t : t);
                    },
                    3, std::string(vm::nameOf(map)) + " " + std::string(vm::nameOf(curve)));
            }
        }
    }
}

TEST_P(Tones, SaturationIsMarkedInColoursOfItsOwn) {
    ASSERT_NO_FATAL_FAILURE(test.open("columns", columns(GetParam())));
    display.setWindow(34 * unit, 204 * unit);
    display.setMarksSaturation(true);
    expectColumns(
        [](double level) {
            return level <= 34    ? kMarkLow
                   : level >= 204 ? kMarkHigh
                                  : mapColour(vm::ColourMap::grey, (level - 34) / 170);
        },
        2, "marks");
    display.setMarksSaturation(false);
    EXPECT_THAT(test.colourAt(1, 1), IsColour(QColor(Qt::black), 1));
    // A residue is 0 nearly everywhere, which is not marked as saturation.
    display.setMarksSaturation(true);
    test.models.filter.setOutput(Output::residue);
    ASSERT_TRUE(test.settle());
    EXPECT_THAT(test.colourAt(1, 1), IsColour(QColor(Qt::black), 1));
}

TEST_P(Tones, DifferencesAreResultMinusOriginal) {
    ASSERT_NO_FATAL_FAILURE(test.open("columns", columns(GetParam())));
    // Removes columns brighter than half of the levels, less than half of the image: they fall to the level below.
    test.models.filter.setCriterion({AttributeId::area, 100});
    ASSERT_TRUE(test.settle());
    const SharedImage result = test.models.document.result();
    const SharedImage image = test.models.document.image();
    ASSERT_FALSE(samePixels(*result, *image));
    display.compare().setMode(Compare::Mode::difference);
    const double range = 120 * unit;
    display.compare().setDifferenceRange(range);
    for (const bool absolute : {false, true}) {
        display.compare().setAbsolute(absolute);
        expectColumns(
            [&](double level) {
                const auto index = static_cast<std::size_t>(level / 17 * 4 + 2);
                const double change = (static_cast<double>(result->level(index)) - image->level(index)) / range;
                return mapColour(vm::ColourMap::grey, absolute ? std::abs(change) : 0.5 + 0.5 * change);
            },
            2, absolute ? "absolute" : "around");
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Tones, ::testing::Values(PixelType::u8, PixelType::u16),
                         [](const auto& type) { return type.param == PixelType::u8 ? "u8" : "u16"; });

TEST(CompareModes, BlinkingShowsOneAfterTheOther) {
    TestWindow test;
    ASSERT_NO_FATAL_FAILURE(test.open("spot", makeImage(PixelType::u8, 12, 12, [](std::uint32_t x, std::uint32_t y) {
                                          return x == 4 && y == 4 ? 255 : 0;
                                      })));
    test.models.filter.setCriterion({AttributeId::area, 4});
    ASSERT_TRUE(test.settle());
    Compare& compare = test.models.display.compare();
    compare.setBlinkByItself(false);
    test.window.actionList().blink->trigger();
    EXPECT_EQ(compare.mode(), Compare::Mode::blink);
    EXPECT_THAT(test.colourAt(4, 4), IsColour(QColor(Qt::black), 1));
    QTest::keyClick(test.window.canvas(), Qt::Key_Space);
    EXPECT_THAT(test.colourAt(4, 4), IsColour(QColor(Qt::white), 1));
    QTest::keyClick(test.window.canvas(), Qt::Key_Space);
    EXPECT_THAT(test.colourAt(4, 4), IsColour(QColor(Qt::black), 1));
    compare.setBlinkByItself(true);
    EXPECT_TRUE(compare.isBlinking());
    test.window.hide();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !compare.isBlinking(); }, kPatience));
    test.window.show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return compare.isBlinking(); }, kPatience));
    test.window.actionList().blink->trigger();
    EXPECT_EQ(compare.mode(), Compare::Mode::off);
}

TEST(CompareModes, TheCanvasSaysWhatItShows) {
    TestWindow test;
    ASSERT_NO_FATAL_FAILURE(test.open("noise", makeNoise(32)));
    const auto tags = [&] {
        QStringList shown;
        for (const QLabel* label : test.window.canvas()->findChildren<QLabel*>(QStringLiteral("imageTag"))) {
            if (label->isVisible()) {
                shown << label->text();
            }
        }
        return shown;
    };
    EXPECT_EQ(tags(), QStringList());
    Compare& compare = test.models.display.compare();
    compare.setMode(Compare::Mode::split);
    EXPECT_EQ(tags(), QStringList({"Original", "Filtered"}));
    compare.setBlinkByItself(false);
    compare.setMode(Compare::Mode::blink);
    EXPECT_EQ(tags(), QStringList("Filtered"));
    compare.flip();
    EXPECT_EQ(tags(), QStringList("Original"));
    compare.setMode(Compare::Mode::difference);
    compare.setDifferenceRange(31);
    EXPECT_EQ(tags(), QStringList(QStringLiteral("Filtered − original, ±31")));
    compare.setMode(Compare::Mode::off);
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    EXPECT_EQ(tags(), QStringList("Original"));
}

TEST(DisplayPanel, ShowsAndTakesEveryNumber) {
    TestWindow test;
    vm::DisplayViewModel& display = test.models.display;
    ASSERT_NO_FATAL_FAILURE(test.open("noise", makeNoise(32, 65535)));
    auto* low = test.part<QDoubleSpinBox>("windowLow");
    auto* high = test.part<QDoubleSpinBox>("windowHigh");
    low->setValue(1200);
    high->setValue(40000);
    EXPECT_EQ(display.window(), (vm::LevelWindow{1200, 40000}));
    low->setFocus();
    low->selectAll();
    QTest::keyClicks(low, QStringLiteral("2500"));
    QTest::keyClick(low, Qt::Key_Return);
    EXPECT_EQ(display.windowLow(), 2500);
    low->setValue(50000);
    EXPECT_EQ(display.window(), (vm::LevelWindow{39999, 40000})) << "black stops at white";
    EXPECT_EQ(low->value(), 39999);
    test.part<QDoubleSpinBox>("autoLow")->setValue(25);
    EXPECT_EQ(display.autoLow(), 25);
    auto* curve = test.part<QComboBox>("toneCurve");
    auto* gamma = test.part<QDoubleSpinBox>("gamma");
    EXPECT_FALSE(gamma->isEnabled());
    const int powers = curve->findText(QStringLiteral("Gamma"));
    curve->setCurrentIndex(powers);
    emit curve->activated(powers);
    EXPECT_EQ(display.toneCurve(), vm::ToneCurve::gamma);
    EXPECT_TRUE(gamma->isEnabled());
    gamma->setValue(2.2);
    EXPECT_EQ(display.gamma(), 2.2);
    EXPECT_TRUE(test.part<QLabel>("saturation")->text().startsWith(QStringLiteral("Saturated")));
    EXPECT_FALSE(test.part<QLabel>("windowLevels")->isVisible());
}

} // namespace
} // namespace pollard::app

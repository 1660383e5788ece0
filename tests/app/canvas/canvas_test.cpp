#include "app/test_window.hpp"

#include "canvas/shown_images.hpp"
#include "canvas/surface_window.hpp"
#include "theme/colours.hpp"
#include "theme/theme.hpp"

#include <QScopeGuard>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard::app {
namespace {

using ::testing::Eq;

MATCHER_P(IsGrey, level, "") {
    *result_listener << arg.name().toStdString();
    return std::abs(arg.red() - level) <= 1 && std::abs(arg.green() - level) <= 1 && std::abs(arg.blue() - level) <= 1;
}

/// Dark background with two single bright pixels, left and right, and a bright square.
SharedImage twoPeaks(PixelType type, int ground, int bright) {
    return makeImage(type, 24, 12, [=](std::uint32_t x, std::uint32_t y) {
        const bool peak = y == 2 && (x == 4 || x == 19);
        const bool square = y >= 6 && y < 10 && x >= 10 && x < 14;
        return peak || square ? bright : ground;
    });
}

class CanvasDepth : public ::testing::TestWithParam<PixelType> {};

TEST_P(CanvasDepth, ShowsEveryLevelThroughTheWindow) {
    const int step = GetParam() == PixelType::u8 ? 1 : 257;
    TestWindow test;
    test.open("levels", makeImage(GetParam(), 16, 16, [=](std::uint32_t x, std::uint32_t y) {
                  return static_cast<int>(y * 16 + x) * step;
              }));
    test.models.display.setWindow(50.0 * step, 200.0 * step);
    const QImage shown = test.window.canvas()->grabFramebuffer();
    for (const int level : {0, 49, 50, 51, 100, 125, 199, 200, 201, 255}) {
        const QPointF place = test.models.display.view().toView({level % 16 + 0.5, level / 16 + 0.5});
        const int expected = static_cast<int>(std::lround(std::clamp((level - 50) / 150.0, 0.0, 1.0) * 255));
        EXPECT_THAT(shown.pixelColor(place.toPoint()), IsGrey(expected)) << "level " << level;
    }
}

TEST_P(CanvasDepth, ShowsTheFilteredImageAndTheOriginal) {
    TestWindow test;
    const int bright = GetParam() == PixelType::u8 ? 255 : 65535;
    test.open("peaks", twoPeaks(GetParam(), 0, bright));
    test.models.display.fullWindow();
    EXPECT_THAT(test.colourAt(4, 2), IsGrey(255));
    test.models.filter.setCriterion({AttributeId::area, 4});
    ASSERT_TRUE(test.settle());
    EXPECT_THAT(test.colourAt(4, 2), IsGrey(0));
    EXPECT_THAT(test.colourAt(11, 7), IsGrey(255));
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    EXPECT_THAT(test.colourAt(4, 2), IsGrey(255));
}

TEST_P(CanvasDepth, ShowsBothSidesOfTheSplit) {
    TestWindow test;
    const int bright = GetParam() == PixelType::u8 ? 255 : 65535;
    test.open("peaks", twoPeaks(GetParam(), 0, bright));
    test.models.display.fullWindow();
    test.models.filter.setCriterion({AttributeId::area, 4});
    test.models.display.setSplitEnabled(true);
    ASSERT_TRUE(test.settle());
    EXPECT_THAT(test.colourAt(4, 2), IsGrey(255)) << "left of the line: original";
    EXPECT_THAT(test.colourAt(19, 2), IsGrey(0)) << "right of the line: filtered";
}

INSTANTIATE_TEST_SUITE_P(Types, CanvasDepth, ::testing::Values(PixelType::u8, PixelType::u16),
                         [](const auto& type) { return type.param == PixelType::u8 ? "u8" : "u16"; });

TEST(Canvas, IsNeverBlackForA16BitImageThatUsesFewLevels) {
    TestWindow test;
    test.open("dim", makeImage(PixelType::u16, 32, 32,
                               [](std::uint32_t x, std::uint32_t) { return 300 + static_cast<int>(x) * 8; }));
    EXPECT_GT(test.colourAt(31, 5).red(), 240);
    EXPECT_LT(test.colourAt(0, 5).red(), 15);
    EXPECT_NEAR(test.colourAt(16, 5).red(), 131, 12);
}

TEST(Canvas, KeepsMagnifiedPixelsCrisp) {
    TestWindow test;
    test.open("checker", makeImage(PixelType::u8, 8, 8,
                                   [](std::uint32_t x, std::uint32_t y) { return (x + y) % 2 == 0 ? 40 : 200; }));
    test.models.display.fullWindow();
    test.models.display.setZoom(20);
    test.models.display.setCentre({4, 4});
    const QImage shown = test.window.canvas()->grabFramebuffer();
    const QPointF corner = test.models.display.view().toView({0, 0});
    const int left = static_cast<int>(std::lround(corner.x()));
    const int top = static_cast<int>(std::lround(corner.y()));
    for (int dx = 0; dx < 160; ++dx) {
        const int expected = dx / 20 % 2 == 0 ? 40 : 200;
        ASSERT_THAT(shown.pixelColor(left + dx, top + 7), IsGrey(expected)) << "device pixel " << dx;
    }
}

TEST(Canvas, BlendsMagnifiedPixelsOnlyWhenAsked) {
    TestWindow test;
    test.open("edge", makeImage(PixelType::u8, 8, 8, [](std::uint32_t x, std::uint32_t) { return x < 4 ? 0 : 200; }));
    test.models.display.fullWindow();
    test.models.display.setZoom(32);
    test.models.display.setCentre({4, 4});
    test.models.display.setSmooth(true);
    const QImage shown = test.window.canvas()->grabFramebuffer();
    const QPoint border = test.models.display.view().toView({4, 4}).toPoint();
    EXPECT_NEAR(shown.pixelColor(border).red(), 100, 5);
    EXPECT_THAT(shown.pixelColor(border + QPoint(-20, 0)), IsGrey(0));
    EXPECT_THAT(shown.pixelColor(border + QPoint(20, 0)), IsGrey(200));
}

TEST(Canvas, AveragesShrunkPixels) {
    TestWindow test;
    test.open("checker", makeImage(PixelType::u16, 2800, 2800,
                                   [](std::uint32_t x, std::uint32_t y) { return (x + y) % 2 == 0 ? 10000 : 50000; }));
    test.models.display.fullWindow();
    constexpr int kTolerance = 4;
    for (const double zoom : {0.5, 0.41, 0.25, 0.125}) {
        test.models.display.setZoom(zoom);
        test.models.display.setCentre({1400, 1400});
        ASSERT_EQ(test.models.display.zoom(), zoom);
        ASSERT_TRUE(test.settle());
        const QImage shown = test.window.canvas()->grabFramebuffer();
        const QPoint middle = test.models.display.view().toView({1400, 1400}).toPoint();
        // A footprint of a fractional number of pixels leaves a residual pattern: 3 % of the pattern below one half.
        for (int d = -20; d < 20; ++d) {
            ASSERT_NEAR(shown.pixelColor(middle + QPoint(d, d / 2)).red(), 117, kTolerance)
                << "zoom " << zoom << " at " << d;
        }
    }
}

TEST(Canvas, CutsWideImagesIntoTilesWithoutSeams) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    test.models.filter.setCriterion({AttributeId::area, 3});
    test.models.display.setSplitEnabled(true);
    // No device pixel has its centre on a border of two pixels of the image, where rounding may select either.
    test.models.display.setZoom(11.3137);
    test.models.display.setCentre({31.77, 32.21});
    ASSERT_TRUE(test.settle());
    const QImage whole = test.window.canvas()->grabFramebuffer();
    test.window.canvas()->setLargestTexture(23);
    ASSERT_TRUE(test.settle()); // many tiles may need several paints
    EXPECT_EQ(test.window.canvas()->grabFramebuffer(), whole);
}

TEST(Canvas, ShowsColourMaps) {
    TestWindow test;
    test.open("ends", makeImage(PixelType::u8, 4, 4, [](std::uint32_t x, std::uint32_t) { return x < 2 ? 0 : 255; }));
    test.models.display.fullWindow();
    for (const vm::ColourMap map : vm::kColourMaps) {
        test.models.display.setColourMap(map);
        const auto stops = colourStops(map);
        ASSERT_GE(stops.size(), 2U);
        EXPECT_EQ(test.colourAt(0, 0).name(), stops.front().name()) << vm::nameOf(map);
        EXPECT_EQ(test.colourAt(3, 3).name(), stops.back().name()) << vm::nameOf(map);
    }
    EXPECT_EQ(colourStops(vm::ColourMap::viridis).front().name(), QStringLiteral("#440154"));
}

TEST(Canvas, ReusesTheTexturesOfTheResult) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    const int before = test.window.canvas()->resultAllocations();
    for (const double area : {2.0, 5.0, 9.0}) {
        test.models.filter.setMinimum(area);
        ASSERT_TRUE(test.settle());
    }
    EXPECT_EQ(test.window.canvas()->resultAllocations(), before);
}

TEST(Canvas, ZoomsAboutThePointerAndTellsThePixelUnderIt) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    Canvas* canvas = test.window.canvas();
    const QPointF place(canvas->width() * 0.6, canvas->height() * 0.4);
    const QPointF under = test.models.display.view().toImage(place * canvas->devicePixelRatioF());
    const double zoom = test.models.display.zoom();
    QWheelEvent wheel(place, canvas->mapToGlobal(place), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas, &wheel);
    EXPECT_GT(test.models.display.zoom(), zoom * 1.3);
    const QPointF after = test.models.display.view().toImage(place * canvas->devicePixelRatioF());
    EXPECT_NEAR(after.x(), under.x(), 0.05);
    EXPECT_NEAR(after.y(), under.y(), 0.05);
    EXPECT_EQ(test.models.probe.x(), static_cast<int>(under.x()));
    EXPECT_EQ(test.models.probe.y(), static_cast<int>(under.y()));
    const auto image = test.models.document.image();
    EXPECT_EQ(test.models.probe.original(),
              image->level(static_cast<std::size_t>(test.models.probe.y()) * 64 + test.models.probe.x()));
}

TEST(Canvas, TellsThePixelUnderAPointerThatStandsStill) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    Canvas* canvas = test.window.canvas();
    const QPointF place(canvas->width() * 0.7, canvas->height() * 0.6);
    test.move(test.inWindow(canvas, place));
    const auto expectPixel = [&] {
        const QPointF under = test.models.display.view().toImage(place * canvas->devicePixelRatioF());
        EXPECT_NEAR(test.models.probe.x() + 0.5, under.x(), 1.0);
        EXPECT_NEAR(test.models.probe.y() + 0.5, under.y(), 1.0);
    };
    expectPixel();
    const int before = test.models.probe.x();
    test.models.display.setZoom(test.models.display.zoom() * 4);
    expectPixel();
    EXPECT_NE(test.models.probe.x(), before);
    test.open("larger", makeNoise(512));
    expectPixel();
}

TEST(Canvas, TakesAResultOfItsImageAlone) {
    TestWindow test;
    ShownImages images(test.models.display);
    vm::DocumentContents contents;
    contents.image = makeNoise(8);
    contents.frame.image = makeNoise(9);
    images.take(contents);
    EXPECT_FALSE(images.showsResult());
    contents.frame.image = makeNoise(8);
    images.take(contents);
    EXPECT_TRUE(images.showsResult());
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    EXPECT_FALSE(images.showsResult());
}

/// The ratio of contrast of WCAG 2.2.
double contrast(const QColor& one, const QColor& other) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const auto [dark, bright] = std::minmax({luminance(one), luminance(other)});
    return (bright + 0.05) / (dark + 0.05);
}

/// The colours over the frame of the canvas from its left edge to the right, at half its height.
std::vector<QRgb> edgeOf(Canvas& canvas, int count) {
    ChildLayer layer(canvas);
    layer.repaint(canvas.size(), 1);
    std::vector<QRgb> colours;
    for (int x = 0; x < count; ++x) {
        colours.push_back(layer.image().pixel(x, canvas.height() / 2));
    }
    return colours;
}

TEST(CanvasFocus, OfTheKeyboardIsARingInEveryTheme) {
    TestWindow test;
    test.open("levels", makeImage(PixelType::u8, 16, 16, [](std::uint32_t, std::uint32_t) { return 90; }));
    Canvas& canvas = *test.window.canvas();
    const auto restore = qScopeGuard([] { applyTheme(vm::SettingsViewModel::Theme::system); });
    using Theme = vm::SettingsViewModel::Theme;
    for (const Theme theme : {Theme::light, Theme::dark, Theme::contrast}) {
        applyTheme(theme);
        QCoreApplication::processEvents();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, {20, 20});
        ASSERT_TRUE(canvas.hasFocus());
        const std::vector<QRgb> plain = edgeOf(canvas, 5);
        canvas.clearFocus();
        canvas.setFocus(Qt::TabFocusReason);
        const QColor outer = canvas.palette().color(QPalette::Highlight);
        const QColor inner = canvas.palette().color(QPalette::Base);
        const std::vector<QRgb> ringed{outer.rgba(), outer.rgba(), inner.rgba(), plain[3], plain[4]};
        EXPECT_EQ(edgeOf(canvas, 5), ringed) << static_cast<int>(theme);
        EXPECT_GE(contrast(outer, inner), 4.5) << "so that one of them is seen on any image";
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, {20, 20});
        EXPECT_EQ(edgeOf(canvas, 5), plain) << "no ring for the mouse";
        QTest::keyClick(&canvas, Qt::Key_Left);
        EXPECT_EQ(edgeOf(canvas, 5), ringed) << "a key";
        canvas.clearFocus();
        EXPECT_EQ(edgeOf(canvas, 5), plain);
    }
}

} // namespace
} // namespace pollard::app

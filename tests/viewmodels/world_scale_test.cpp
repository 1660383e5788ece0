#include "vm/image/world_scale.hpp"

#include <gtest/gtest.h>

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pollard::vm {
namespace {

std::optional<PixelSize> sizeOf(double side, const char* unit) { return PixelSize{side, side, unit, "test", false}; }

/// Replaces no-break spaces by ordinary ones, which are easier to write.
QString plain(QString text) { return text.replace(QChar(QChar::Nbsp), u' '); }

class WorldScale : public ::testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale::c()); }
};

TEST_F(WorldScale, BarHasARoundLengthThatFits) {
    struct Case {
        double zoom;
        double longest;
        double side;
        const char* unit;
        double length;
        const char* text;
    };
    const Case cases[] = {
        {1, 200, 0.5, "µm", 200, "100 µm"}, // exactly the largest length
        {1, 199, 0.5, "µm", 100, "50 µm"},
        {2, 200, 0.5, "µm", 200, "50 µm"}, // the same image at twice the zoom
        {0.1, 200, 0.5, "um", 200, "1 mm"},
        {64, 200, 0.325, "µm", 196.923077, "1 µm"},
        {128, 200, 0.325, "µm", 196.923077, "500 nm"},
        {1, 150, 5, "nm", 100, "500 nm"},
        {1, 150, 0.05, "mm", 100, "5 mm"},
        {1, 150, 0.01, "cm", 100, "10 mm"},
        {0.05, 150, 10, "m", 100, "20 km"},
        {1, 150, 30, "m", 66.666667, "2 km"},
        {1, 150, 0.2, "arcsec", 100, "20 arcsec"},
        {0.25, 150, 0.2, "arcsec", 150, "2 arcmin"},
        {1, 150, 0.001, "°", 83.333333, "5 arcmin"},
        {0.1, 150, 0.001, "deg", 100, "1°"},
        {1, 150, 2, "ft", 100, "200 ft"}, // an unknown unit keeps its name
    };
    for (const Case& c : cases) {
        const auto bar = scaleBarFor(c.zoom, c.longest, sizeOf(c.side, c.unit));
        ASSERT_TRUE(bar) << c.text;
        EXPECT_EQ(plain(bar->text), QString::fromUtf8(c.text));
        EXPECT_NEAR(bar->length, c.length, 1e-5) << c.text;
    }
}

TEST_F(WorldScale, BarFitsAndIsLongEnoughAtEveryZoom) {
    for (const char* unit : {"nm", "µm", "m", "arcsec", "°"}) {
        for (double zoom = 1e-3; zoom < 256; zoom *= 1.013) {
            const auto bar = scaleBarFor(zoom, 160, sizeOf(0.37, unit));
            ASSERT_TRUE(bar);
            ASSERT_LE(bar->length, 160 * (1 + 1e-6)) << unit << " at " << zoom;
            ASSERT_GT(bar->length, 160 / 2.51) << unit << " at " << zoom;
        }
    }
}

TEST_F(WorldScale, BarTellsPixelsWhereTheSizeIsUnknown) {
    EXPECT_EQ(plain(scaleBarFor(1, 150, {})->text), "100 px");
    EXPECT_EQ(scaleBarFor(1, 150, {})->length, 100);
    EXPECT_EQ(plain(scaleBarFor(256, 150, {})->text), "1 px") << "half a px says nothing";
    EXPECT_EQ(scaleBarFor(0, 150, {}), std::nullopt);
    EXPECT_EQ(scaleBarFor(1, 0, {}), std::nullopt);
}

TEST_F(WorldScale, SizeForPrintingSaysNothingOfTheScene) {
    ImageInfo info;
    EXPECT_EQ(sceneSize(nullptr), std::nullopt);
    ImageInfo volume;
    volume.pixelSize = PixelSize{0.5, 0.25, "mm", "test", false, 2};
    const auto sidesIn = [&](VolumeAxis across, const PlaneTurn& turn = {}) {
        const auto size = sceneSize(&volume, {across, 0, turn});
        return size ? std::pair(size->x, size->y) : std::pair(0.0, 0.0);
    };
    EXPECT_EQ(sidesIn(VolumeAxis::z), std::pair(0.5, 0.25));
    EXPECT_EQ(sidesIn(VolumeAxis::y), std::pair(0.5, 2.0));
    EXPECT_EQ(sidesIn(VolumeAxis::x), std::pair(2.0, 0.25)) << "slices to the right";
    EXPECT_EQ(sidesIn(VolumeAxis::x, {.isTransposed = true}), std::pair(0.25, 2.0));
    volume.pixelSize->z = 0;
    EXPECT_EQ(sidesIn(VolumeAxis::y), std::pair(0.0, 0.0)) << "the distance of slices is unknown";
    EXPECT_EQ(sidesIn(VolumeAxis::z), std::pair(0.5, 0.25));
    EXPECT_EQ(sceneSize(&info), std::nullopt);
    info.pixelSize = PixelSize{84, 84, "µm", "TIFF resolution", true};
    EXPECT_EQ(sceneSize(&info), std::nullopt);
    info.pixelSize->print = false;
    EXPECT_EQ(sceneSize(&info), info.pixelSize);
    info.pixelSize->x = std::nan("");
    EXPECT_EQ(sceneSize(&info), std::nullopt);
}

TEST_F(WorldScale, RoundNumbersAreOneTwoFive) {
    const struct {
        double value;
        double down;
        double up;
    } cases[] = {{1, 1, 1},    {1.5, 1, 2},        {2, 2, 2},          {4.99, 2, 5},       {5, 5, 5},      {9.9, 5, 10},
                 {10, 10, 10}, {0.03, 0.02, 0.05}, {1000, 1000, 1000}, {1e-6, 1e-6, 1e-6}, {7e8, 5e8, 1e9}};
    for (const auto& c : cases) {
        EXPECT_NEAR(roundDown125(c.value) / c.down, 1, 1e-9) << c.value;
        EXPECT_NEAR(roundUp125(c.value) / c.up, 1, 1e-9) << c.value;
    }
    EXPECT_EQ(roundDown125(0), 0);
    EXPECT_EQ(roundDown125(-3), 0);
    EXPECT_EQ(roundUp125(std::nan("")), 0);
}

TEST_F(WorldScale, TextKeepsTheDigitsThatMatter) {
    EXPECT_EQ(worldText(0, "px"), QStringLiteral("0\u00a0px"));
    EXPECT_EQ(plain(worldText(12.5, "µm")), QStringLiteral("12.5 µm"));
    EXPECT_EQ(plain(worldText(123456, "px")), "123456 px");
    EXPECT_EQ(plain(worldText(0.0123456, "mm")), "0.01235 mm");
    EXPECT_EQ(worldText(0.5, "°"), QStringLiteral("0.5°"));
    EXPECT_EQ(worldText(-20, ""), "-20");
    EXPECT_EQ(worldText(100, ""), "100") << "zeros before the point stay";
}

TEST_F(WorldScale, RulerMarksAreMultiplesOfARoundStep) {
    // 3 view units per px, marks at least 60 units apart: every 20 px, and every 5 px between them.
    const auto ticks = rulerTicks(-7.5, 3, 300, 60, true);
    ASSERT_FALSE(ticks.empty());
    EXPECT_EQ(rulerStep(3, 60, true), 20);
    EXPECT_EQ(ticks.front().value, -5);
    EXPECT_DOUBLE_EQ(ticks.front().position, 7.5);
    EXPECT_EQ(ticks.back().value, 90);
    for (const RulerTick& tick : ticks) {
        EXPECT_EQ(tick.major, std::fmod(tick.value, 20) == 0) << tick.value;
        EXPECT_NEAR(tick.position, (tick.value + 7.5) * 3, 1e-9);
    }
}

TEST_F(WorldScale, RulerOfPixelsHasNoMarkBetweenThem) {
    for (double scale = 1; scale < 300; scale *= 1.1) {
        for (const RulerTick& tick : rulerTicks(0.3, scale, 500, 50, true)) {
            ASSERT_NEAR(tick.value, std::round(tick.value), 1e-9) << "at " << scale;
        }
    }
}

TEST_F(WorldScale, RulersOfMapsHaveCoordinatesThatFallDownwards) {
    const RulerAxis east{QStringLiteral("m"), 600000, 10, false, true};
    const RulerAxis north{QStringLiteral("m"), 5350000, -10, false, true};
    // 2 view units per px: a step of 500 m is 100 units long.
    const auto across = rulerTicks(east, 3, 2, 400);
    const auto downwards = rulerTicks(north, 3, 2, 400);
    EXPECT_EQ(across.front().value, 600100);
    EXPECT_DOUBLE_EQ(across.front().position, 14);
    EXPECT_EQ(downwards.front().value, 5349900);
    EXPECT_DOUBLE_EQ(downwards.front().position, 14);
    for (const RulerTick& tick : downwards) {
        EXPECT_NEAR(5350000 - 10 * (3 + tick.position / 2), tick.value, 1e-6);
        EXPECT_EQ(tick.major, std::fmod(tick.value, 500) == 0) << tick.value;
    }
    EXPECT_EQ(plain(rulerText(north, 5349500, 2)), QStringLiteral("5349500"));
    EXPECT_EQ(plain(rulerText(north, 5349500.5, 2000)), QStringLiteral("5349500.5")) << "a step of half a metre";
    const RulerAxis longitude{QStringLiteral("°"), 16, 0.001, false, true};
    EXPECT_EQ(rulerText(longitude, 16.05, 2), QStringLiteral("16.05"));
    const auto zero = rulerTicks(RulerAxis{QStringLiteral("°"), 0.5, -0.01, false, true}, 0, 2, 400);
    EXPECT_TRUE(
        std::ranges::any_of(zero, [](const RulerTick& tick) { return tick.value == 0 && !std::signbit(tick.value); }));
    const RulerAxis pixels{.unit = QStringLiteral("px"), .whole = true};
    EXPECT_EQ(rulerTicks(pixels, -4, 3, 300), rulerTicks(-4.0, 3.0, 300.0, rulerGap(pixels), true));
}

TEST_F(WorldScale, RulerMarksNeverCrowd) {
    for (double scale = 1e-4; scale < 300; scale *= 1.07) {
        const auto ticks = rulerTicks(12345.6, scale, 800, 50, false);
        double last = -1e9;
        int majors = 0;
        for (const RulerTick& tick : ticks) {
            if (tick.major) {
                ASSERT_GE(tick.position - last, 50 * (1 - 1e-6)) << "at " << scale;
                last = tick.position;
                ++majors;
            }
            ASSERT_GE(tick.position, -1e-3);
            ASSERT_LE(tick.position, 800 + 1e-3);
        }
        ASSERT_GE(majors, 5) << "at " << scale;
        ASSERT_LE(ticks.size(), 90U);
    }
    EXPECT_TRUE(rulerTicks(0, 0, 100, 50, false).empty());
}

} // namespace
} // namespace pollard::vm

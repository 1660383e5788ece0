#include "vm/image/level_histogram.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pollard::vm {
namespace {

using testing::makeImage;

TEST(LevelHistogram, CountsEveryPixelOnce) {
    const auto image = makeImage(PixelType::u16, 300, 200, [](auto x, auto) { return 1000 + x; });
    const LevelHistogram histogram = countLevels(*image);
    EXPECT_EQ(histogram.counts.size(), 65536U);
    EXPECT_EQ(histogram.pixels, 60000U);
    EXPECT_EQ(histogram.minimum, 1000);
    EXPECT_EQ(histogram.maximum, 1299);
    EXPECT_EQ(histogram.counts[1150], 200U);
    EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::uint64_t{0}), 60000U);
}

TEST(LevelHistogram, StopsWhenAsked) {
    const auto image = makeImage(PixelType::u8, 2, 2, [](auto, auto) { return 1; });
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)countLevels(*image, JobControl(stop.get_token())), Cancelled);
}

TEST(LevelHistogram, PercentilesAreLevelsThatEnoughPixelsDoNotExceed) {
    const auto image = makeImage(PixelType::u8, 100, 1, [](auto x, auto) { return x; });
    const LevelHistogram histogram = countLevels(*image);
    EXPECT_EQ(histogram.percentile(0), 0);
    EXPECT_EQ(histogram.percentile(0.5), 49);
    EXPECT_EQ(histogram.percentile(1), 99);
    EXPECT_EQ(histogram.percentile(7), 99);
}

struct WindowCase {
    const char* name;
    PixelType type;
    std::uint32_t (*level)(std::uint32_t x, std::uint32_t y);
    LevelWindow window;
};

class AutoWindow : public ::testing::TestWithParam<WindowCase> {};

TEST_P(AutoWindow, ShowsWhatIsThere) {
    const WindowCase& c = GetParam();
    const auto image = makeImage(c.type, 300, 100, c.level);
    const LevelWindow window = autoWindow(countLevels(*image));
    EXPECT_EQ(window, c.window) << window.low << ".." << window.high;
    EXPECT_LT(window.low, window.high);
    EXPECT_GE(window.low, 0);
    EXPECT_LE(window.high, maxLevelOf(c.type));
}

INSTANTIATE_TEST_SUITE_P(
    Images, AutoWindow,
    ::testing::Values(
        // 300 of 65,536 levels: each level has 1/300 of the pixels, more than 0.1 %.
        WindowCase{"FewOfManyLevels", PixelType::u16, [](auto x, auto) { return 2000 + x; }, {2000, 2299}},
        WindowCase{"OneHotPixel",
                   PixelType::u16,
                   [](auto x, auto y) -> std::uint32_t { return x == 0 && y == 0 ? 65535 : 100 + x; },
                   {100, 399}},
        WindowCase{"FewBrightOnDark",
                   PixelType::u16,
                   [](auto x, auto y) -> std::uint32_t { return x < 5 && y == 0 ? 40000 : 10; },
                   {10, 40000}},
        WindowCase{"Constant", PixelType::u16, [](auto, auto) -> std::uint32_t { return 700; }, {699, 701}},
        WindowCase{"ConstantBlack", PixelType::u16, [](auto, auto) -> std::uint32_t { return 0; }, {0, 1}},
        WindowCase{"ConstantWhite", PixelType::u16, [](auto, auto) -> std::uint32_t { return 65535; }, {65534, 65535}},
        WindowCase{"OneBit", PixelType::u8, [](auto x, auto) { return x % 2; }, {0, 1}}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(BrightLevel, LeavesOutWhatIsZeroAndTheBrightestThousandth) {
    using testing::makeImage;
    EXPECT_EQ(brightLevel(*makeImage(PixelType::u16, 50, 50, [](auto, auto) { return 0; })), 0);
    EXPECT_EQ(brightLevel(*makeImage(PixelType::u8, 50, 50, [](auto x, auto y) { return x + y == 0 ? 7 : 0; })), 7);
    // 5000 pixels of level 300, one of 60,000.
    const auto spots = makeImage(PixelType::u16, 100, 100, [](auto x, auto y) -> std::uint32_t {
        return x == 0 && y == 0 ? 60000 : y < 50 ? 300 : 0;
    });
    EXPECT_EQ(brightLevel(*spots), 300);
}

} // namespace
} // namespace pollard::vm

// Histograms of the image, of the visible part, and of the region.
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include "viewmodels/support/image_world.hpp"

#include <QSignalSpy>

#include <numeric>
#include <random>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::ImageWorld;
using testing::makeImage;
using Source = HistogramViewModel::Source;

std::shared_ptr<const Image> noise(PixelType type, std::uint32_t width, std::uint32_t height) {
    std::mt19937 random(3);
    return makeImage(type, width, height, [&](auto, auto) { return random() % 251; });
}

std::shared_ptr<Mask> sieve(std::uint32_t width, std::uint32_t height, unsigned seed) {
    auto mask = std::make_shared<Mask>(width, height, false);
    std::mt19937 random(seed);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask->set(x, y, y == 3 || random() % 3 != 0); // a full row, for words without gaps
        }
    }
    return mask;
}

/// The same, pixel by pixel.
LevelHistogram naive(const Image& image, const CountedArea& area) {
    LevelHistogram histogram;
    histogram.counts.resize(std::size_t{maxLevelOf(image.type())} + 1);
    const PixelRegion all{0, 0, image.width(), image.height()};
    const PixelRegion r = area.rectangle.value_or(all);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            const bool inside = x >= r.x && y >= r.y && x - r.x < r.width && y - r.y < r.height;
            if (inside && (area.region == nullptr || area.region->test(x, y)) &&
                (area.valid == nullptr || area.valid->test(x, y))) {
                ++histogram.counts[image.level(std::size_t{y} * image.width() + x)];
                ++histogram.pixels;
            }
        }
    }
    return histogram;
}

TEST(LevelHistogramOfAPart, CountsThePixelsThatLieInAllParts) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const std::uint32_t width : {1U, 63U, 64U, 65U, 200U}) {
            const auto image = noise(type, width, 9);
            const auto region = sieve(width, 9, 1);
            const auto valid = sieve(width, 9, 2);
            for (const auto& rectangle : std::initializer_list<std::optional<PixelRegion>>{
                     std::nullopt, PixelRegion{0, 0, width, 9}, PixelRegion{width / 3, 2, width / 2, 4},
                     PixelRegion{width, 0, 5, 5}, PixelRegion{0, 0, 5000, 5000}, PixelRegion{0, 1, 0, 3}}) {
                for (const Mask* first : {static_cast<const Mask*>(nullptr), static_cast<const Mask*>(region.get())}) {
                    for (const Mask* second :
                         {static_cast<const Mask*>(nullptr), static_cast<const Mask*>(valid.get())}) {
                        const CountedArea area{rectangle, first, second};
                        const LevelHistogram counted = countLevels(*image, area);
                        const LevelHistogram expected = naive(*image, area);
                        ASSERT_EQ(counted.counts, expected.counts) << "width " << width;
                        ASSERT_EQ(counted.pixels, expected.pixels);
                    }
                }
            }
        }
    }
}

TEST(LevelHistogramOfAPart, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)countLevels(*noise(PixelType::u8, 4, 4), CountedArea{}, JobControl(stop.get_token())),
                 Cancelled);
}

TEST(BrightDifference, IsWhatNearlyAllDifferencesDoNotExceed) {
    const auto a = makeImage(PixelType::u8, 100, 100, [](auto x, auto) { return x < 50 ? 100 : 10; });
    const auto b = makeImage(PixelType::u8, 100, 100, [](auto x, auto) { return x < 50 ? 70 : 10; });
    EXPECT_EQ(brightDifference(*a, *b), 30);
    EXPECT_EQ(brightDifference(*b, *a), 30);
    EXPECT_EQ(brightDifference(*a, *a), 0);
}

class HistogramSource : public ::testing::Test {
protected:
    ImageWorld images;
    DisplayViewModel display{images.document};
    HistogramViewModel histogram{images.document, display};

    /// Left half 10, right half 200.
    static std::shared_ptr<const Image> halves() {
        return makeImage(PixelType::u8, 80, 40, [](auto x, auto) { return x < 40 ? 10 : 200; });
    }
    [[nodiscard]] std::uint64_t bin(int level) const { return histogram.bins().at(static_cast<std::size_t>(level)); }
};

TEST_F(HistogramSource, TheViewIsCountedWhenItRests) {
    display.setViewSize({80, 40});
    ASSERT_NO_FATAL_FAILURE(images.open("halves", halves()));
    histogram.setSource(Source::view);
    ASSERT_TRUE(eventually([&] { return !histogram.isCounting(); }));
    EXPECT_EQ(histogram.pixels(), 3200U);
    display.setZoom(2);
    display.setCentre({20, 20}); // 40 x 20 px of the left half are visible
    EXPECT_EQ(histogram.pixels(), 3200U) << "not while it moves";
    ASSERT_TRUE(eventually([&] { return histogram.pixels() == 800U; }));
    EXPECT_EQ(bin(10), 800U);
    EXPECT_EQ(bin(200), 0U);
    EXPECT_EQ(histogram.bins().size(), 256U) << "the chart keeps its place";
    histogram.setSource(Source::image);
    EXPECT_EQ(histogram.pixels(), 3200U);
}

TEST_F(HistogramSource, ManyMovementsAreCountedOnce) {
    display.setViewSize({80, 40});
    ASSERT_NO_FATAL_FAILURE(images.open("halves", halves()));
    histogram.setSource(Source::view);
    ASSERT_TRUE(eventually([&] { return !histogram.isCounting(); }));
    QSignalSpy changes(&histogram, &HistogramViewModel::changed);
    for (int i = 1; i <= 50; ++i) {
        display.setZoom(1 + i * 0.1);
    }
    ASSERT_TRUE(changes.wait());
    testing::settle();
    EXPECT_EQ(changes.size(), 1);
}

TEST_F(HistogramSource, TheRegionIsCounted) {
    ASSERT_NO_FATAL_FAILURE(images.open("halves", halves()));
    histogram.setSource(Source::region);
    EXPECT_EQ(histogram.pixels(), 3200U) << "the image where there is no region";
    auto region = std::make_shared<Mask>(80, 40, false);
    for (std::uint32_t y = 0; y < 10; ++y) {
        region->setRun(38, 43, y, true);
    }
    images.document.choices().setDomain(region);
    ASSERT_TRUE(eventually([&] { return histogram.pixels() == 50U; }));
    EXPECT_EQ(bin(10), 20U);
    EXPECT_EQ(bin(200), 30U);
    images.document.choices().setDomain(nullptr);
    ASSERT_TRUE(eventually([&] { return histogram.pixels() == 3200U; }));
}

TEST_F(HistogramSource, PixelsWithoutDataDoNotCountInARegion) {
    auto valid = std::make_shared<Mask>(80, 40, true);
    valid->setRun(0, 40, 0, false);
    images.files["gaps"] = {{halves(), valid, {}, 0}};
    ASSERT_NO_FATAL_FAILURE(images.open("gaps"));
    auto region = std::make_shared<Mask>(80, 40, false);
    region->setRun(30, 50, 0, true);
    images.document.choices().setDomain(region);
    histogram.setSource(Source::region);
    ASSERT_TRUE(eventually([&] { return histogram.pixels() == 10U; }));
    EXPECT_EQ(bin(10), 0U);
    EXPECT_EQ(bin(200), 10U);
}

TEST_F(HistogramSource, PixelsWithoutDataDoNotCount) {
    auto valid = std::make_shared<Mask>(80, 40, true);
    valid->setRun(0, 40, 0, false);
    images.files["gaps"] = {{halves(), valid, {}, 0}};
    ASSERT_NO_FATAL_FAILURE(images.open("gaps"));
    EXPECT_EQ(histogram.pixels(), 3160U);
    EXPECT_EQ(bin(10), 1560U);
}

} // namespace
} // namespace pollard::vm

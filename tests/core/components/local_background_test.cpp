#include "components/local_background.hpp"

#include "base/error.hpp"
#include "components/objects/object_rule.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using Numbers = std::vector<double>;

/// Noise on a slope with a few bright stars, 70 x 50 px.
std::shared_ptr<Image> skyOnASlope() {
    std::mt19937 random(5);
    auto image = std::make_shared<Image>(PixelType::u16, 70, 50);
    const auto pixels = image->pixels<std::uint16_t>();
    for (std::uint32_t y = 0; y < 50; ++y) {
        for (std::uint32_t x = 0; x < 70; ++x) {
            pixels[y * 70 + x] =
                static_cast<std::uint16_t>(1000 + 20 * x + 3 * y + random() % 41 + (random() % 100 == 0 ? 5000 : 0));
        }
    }
    return image;
}

double naiveMedian(Numbers numbers) {
    std::ranges::sort(numbers);
    const std::size_t n = numbers.size();
    return (numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
}

std::pair<double, double> naiveMoments(const Numbers& numbers) {
    double sum = 0;
    double squares = 0;
    for (const double number : numbers) {
        sum += number;
        squares += number * number;
    }
    const auto n = static_cast<double>(numbers.size());
    return {sum / n, std::sqrt(std::max(0.0, squares / n - sum / n * sum / n))};
}

/// Background and spread of a box from the definition.
std::pair<double, double> naiveBox(Numbers numbers) {
    for (int i = 0; i < 10; ++i) {
        const double median = naiveMedian(numbers);
        const double spread = naiveMoments(numbers).second;
        std::erase_if(numbers, [&](double number) { return std::abs(number - median) > 3 * spread; });
    }
    const auto [mean, spread] = naiveMoments(numbers);
    const double median = naiveMedian(numbers);
    return {std::abs(mean - median) > 0.3 * spread ? median : 2.5 * median - 1.5 * mean, spread};
}

/// The mesh of boxes with the median of 3 x 3, as levels and spreads.
struct NaiveMesh {
    int columns = 0;
    int rows = 0;
    Numbers levels;
    Numbers spreads;

    NaiveMesh(const Image& image, int box)
        : columns((static_cast<int>(image.width()) + box - 1) / box),
          rows((static_cast<int>(image.height()) + box - 1) / box) {
        Numbers rawLevels;
        Numbers rawSpreads;
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                Numbers numbers;
                for (std::uint32_t y = 0; y < image.height(); ++y) {
                    for (std::uint32_t x = 0; x < image.width(); ++x) {
                        if (static_cast<int>(x) / box == c && static_cast<int>(y) / box == r) {
                            numbers.push_back(image.level(std::size_t{y} * image.width() + x));
                        }
                    }
                }
                const auto [level, spread] = naiveBox(numbers);
                rawLevels.push_back(level);
                rawSpreads.push_back(spread);
            }
        }
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                levels.push_back(around(rawLevels, c, r));
                spreads.push_back(around(rawSpreads, c, r));
            }
        }
    }
    [[nodiscard]] double around(const Numbers& raw, int c, int r) const {
        Numbers near;
        for (int i = -1; i <= 1; ++i) {
            for (int j = -1; j <= 1; ++j) {
                if (c + i >= 0 && c + i < columns && r + j >= 0 && r + j < rows) {
                    near.push_back(raw[static_cast<std::size_t>((r + j) * columns + c + i)]);
                }
            }
        }
        return naiveMedian(near);
    }
    /// Bilinear between centres, by weights of all boxes.
    [[nodiscard]] double at(const Numbers& mesh, double x, double y, int box) const {
        const double u = std::clamp((x + 0.5) / box - 0.5, 0.0, columns - 1.0);
        const double v = std::clamp((y + 0.5) / box - 0.5, 0.0, rows - 1.0);
        double sum = 0;
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                sum += std::max(0.0, 1 - std::abs(u - c)) * std::max(0.0, 1 - std::abs(v - r)) *
                       mesh[static_cast<std::size_t>(r * columns + c)];
            }
        }
        return sum;
    }
};

TEST(LocalBackground, IsThatOfItsDefinition) {
    const auto image = skyOnASlope();
    for (const int box : {8, 16, 64, 100}) {
        const LocalBackground background(*image, nullptr, static_cast<std::uint32_t>(box));
        const NaiveMesh expected(*image, box);
        Numbers level(70);
        Numbers spread(70);
        for (std::uint32_t y = 0; y < 50; ++y) {
            background.row(y, level, spread);
            for (std::uint32_t x = 0; x < 70; ++x) {
                ASSERT_NEAR(level[x], expected.at(expected.levels, x, y, box), 1e-6) << x << ", " << y;
                ASSERT_NEAR(spread[x], expected.at(expected.spreads, x, y, box), 1e-6) << x << ", " << y;
            }
        }
    }
}

/// astropy: sigma_clip(values, sigma=3, maxiters=10), then 2.5 * median - 1.5 * mean, and the standard deviation.
TEST(LocalBackground, OfABoxIsThatOfAstropy) {
    const auto image = makeImage(PixelType::u16, 32, 32, [](auto x, auto y) {
        const auto i = y * 32 + x;
        return i % 50 == 7 ? 9000U : static_cast<unsigned>(500 + i * 7919 % 101 + i * 104729 % 53);
    });
    Numbers level(32);
    Numbers spread(32);
    LocalBackground(*image, nullptr, 64).row(3, level, spread);
    EXPECT_NEAR(level[5], 576.4426719840479, 1e-6);
    EXPECT_NEAR(spread[5], 33.206124524611155, 1e-6);
}

TEST(LocalBackground, FindsStarsOnASlopeThatNoThresholdFinds) {
    auto image =
        makeImage(PixelType::u16, 256, 128, [](auto x, auto y) { return 1000 + 30 * x + (x * 7 + y * 13) % 5; });
    const auto pixels = image->pixels<std::uint16_t>();
    const std::vector<std::size_t> stars{20 * 256 + 10, 60 * 256 + 128, 100 * 256 + 240};
    for (const std::size_t star : stars) {
        pixels[star] = static_cast<std::uint16_t>(pixels[star] + 3000);
    }
    ObjectRule rule{};
    rule.above = BackgroundThreshold{5, 32};
    const Mask mask = rule.maskOf(*image, rule.levelsOf(*image, nullptr, {}), nullptr, {});
    EXPECT_EQ(mask.count(), stars.size());
    for (const std::size_t star : stars) {
        EXPECT_TRUE(mask.test(static_cast<std::uint32_t>(star % 256), static_cast<std::uint32_t>(star / 256)));
    }
    rule.dark = true;
    pixels[stars[1]] = 0;
    const Mask dark = rule.maskOf(*image, rule.levelsOf(*image, nullptr, {}), nullptr, {});
    EXPECT_EQ(dark.count(), 1U);
}

TEST(LocalBackground, FluxIsTheSumOverIt) {
    auto image = makeImage(PixelType::u16, 96, 96, [](auto, auto) { return 700; });
    std::vector<std::uint32_t> labels(96 * 96);
    for (const std::size_t at : {5 * 96 + 5, 5 * 96 + 6, 6 * 96 + 5}) {
        image->pixels<std::uint16_t>()[at] = 900;
        labels[at] = 2;
    }
    ValueMapping mapping;
    mapping.offset = -10;
    mapping.step = 0.5;
    const LocalBackground background(*image, nullptr, 64, {}, mapping);
    EXPECT_THAT(background.fluxes(*image, labels, 2), ::testing::ElementsAre(0, 300));
    EXPECT_EQ(background.beyond(*image, 5, false, nullptr).count(), 3U);
}

TEST(LocalBackground, LeavesOutPixelsThatDoNotCount) {
    const auto image = makeImage(PixelType::u16, 96, 32, [](auto x, auto) { return x < 32 ? 60000 : 100 + x % 2; });
    Mask inside(96, 32, true);
    for (std::uint32_t y = 0; y < 32; ++y) {
        inside.setRun(0, 32, y, false);
    }
    const LocalBackground background(*image, &inside, 32);
    Numbers level(96);
    Numbers spread(96);
    background.row(16, level, spread);
    EXPECT_DOUBLE_EQ(level[0], 100.5) << "of its neighbours";
    EXPECT_EQ(background.beyond(*image, 5, false, &inside).count(), 0U);
    const Mask none(96, 32, false);
    EXPECT_EQ(LocalBackground(*image, &none, 32).beyond(*image, 5, false, &none).count(), 0U);
}

TEST(LocalBackground, IsRefusedForVolumesAndOtherBoxes) {
    EXPECT_THROW(LocalBackground(Image(PixelType::u8, Extent{8, 8, 2}), nullptr, 64), Error);
    EXPECT_THROW(LocalBackground(Image(PixelType::u8, 8, 8), nullptr, 3), Error);
}

} // namespace
} // namespace pollard::testing

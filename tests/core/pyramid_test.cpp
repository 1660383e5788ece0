#include "image/pyramid.hpp"

#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::Random;

std::shared_ptr<Image> noise(PixelType type, std::uint32_t width, std::uint32_t height, std::uint32_t seed = 3) {
    Random random(seed);
    return makeImage(type, width, height, [&](auto, auto) { return random(); });
}

/// Reduced image by naive sums over the pixels of every block, as documented.
struct Naive {
    std::uint32_t width;
    std::uint32_t height;
    std::vector<std::uint32_t> levels;
    std::vector<std::uint32_t> shares; ///< 0..255

    [[nodiscard]] Naive halved() const {
        Naive small{(width + 1) / 2, (height + 1) / 2, {}, {}};
        for (std::uint32_t y = 0; y < small.height; ++y) {
            for (std::uint32_t x = 0; x < small.width; ++x) {
                double plain = 0;
                double weighted = 0;
                double weights = 0;
                int count = 0;
                for (std::uint32_t v = 2 * y; v < 2 * y + 2 && v < height; ++v) {
                    for (std::uint32_t u = 2 * x; u < 2 * x + 2 && u < width; ++u) {
                        const std::size_t i = std::size_t{v} * width + u;
                        plain += levels[i];
                        weighted += double{1} * levels[i] * shares[i];
                        weights += shares[i];
                        ++count;
                    }
                }
                const double mean = weights > 0 ? weighted / weights : plain / count;
                small.levels.push_back(static_cast<std::uint32_t>(std::floor(mean + 0.5)));
                small.shares.push_back(static_cast<std::uint32_t>(std::floor(weights / count + 0.5)));
            }
        }
        return small;
    }
};

Naive naiveOf(const Image& image, const Mask* mask) {
    Naive naive{image.width(), image.height(), {}, {}};
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            naive.levels.push_back(image.level(std::size_t{y} * image.width() + x));
            naive.shares.push_back(mask == nullptr || mask->test(x, y) ? 255 : 0);
        }
    }
    return naive;
}

void expectNaive(const Pyramid& pyramid, const Mask* mask) {
    Naive naive = naiveOf(pyramid.level(0), mask);
    for (std::size_t k = 0; k < pyramid.levels(); ++k) {
        const Image& level = pyramid.level(k);
        ASSERT_EQ(level.width(), naive.width) << "level " << k;
        ASSERT_EQ(level.height(), naive.height) << "level " << k;
        for (std::size_t i = 0; i < level.pixelCount(); ++i) {
            ASSERT_EQ(level.level(i), naive.levels[i]) << "level " << k << " pixel " << i;
            if (mask != nullptr) {
                const auto x = static_cast<std::uint32_t>(i % level.width());
                const auto y = static_cast<std::uint32_t>(i / level.width());
                ASSERT_EQ(pyramid.coverage()->at(k, x, y), naive.shares[i]) << "level " << k << " pixel " << i;
            }
        }
        naive = naive.halved();
    }
}

struct Case {
    std::uint32_t width;
    std::uint32_t height;
    std::size_t levels;
};

class PyramidSize : public ::testing::TestWithParam<Case> {};

TEST_P(PyramidSize, HoldsTheMeansOfAllLevels) {
    PyramidPool pool;
    const auto [width, height, levels] = GetParam();
    EXPECT_EQ(Pyramid::levelsOf(width, height), levels);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto pyramid = pool.make(noise(type, width, height), nullptr, {});
        ASSERT_EQ(pyramid->levels(), levels);
        expectNaive(*pyramid, nullptr);
    }
}

TEST_P(PyramidSize, WeighsByTheMask) {
    PyramidPool pool;
    const auto [width, height, levels] = GetParam();
    Random random(11);
    auto mask = std::make_shared<Mask>(width, height, true);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask->set(x, y, x > width / 2 || y > height / 2 || random() % 3 == 0);
        }
    }
    const auto coverage = std::make_shared<const Coverage>(mask, levels, JobControl());
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        expectNaive(*pool.make(noise(type, width, height), coverage, {}), mask.get());
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PyramidSize,
                         ::testing::Values(Case{1, 1, 1}, Case{512, 512, 1}, Case{513, 1, 2}, Case{1, 1025, 3},
                                           Case{1023, 517, 2}, Case{1030, 2049, 4}, Case{3, 2500, 4},
                                           Case{1601, 1203, 3}));

TEST(Pyramid, KeepsTheHighestLevel) {
    PyramidPool pool;
    const auto pyramid =
        pool.make(makeImage(PixelType::u16, 1025, 1025, [](auto, auto) { return 65535; }), nullptr, {});
    for (std::size_t k = 0; k < pyramid->levels(); ++k) {
        EXPECT_THAT(pyramid->level(k).pixels<std::uint16_t>(), ::testing::Each(65535)) << "level " << k;
    }
}

TEST(Pyramid, OfAnImageAloneHasOneLevel) {
    const auto image = noise(PixelType::u8, 2000, 30);
    const Pyramid pyramid(image);
    EXPECT_EQ(pyramid.levels(), 1U);
    EXPECT_EQ(&pyramid.level(0), image.get());
}

TEST(PyramidPool, LendsMemoryAgainOnlyWhenNobodyHoldsIt) {
    PyramidPool pool;
    auto first = pool.make(noise(PixelType::u16, 1200, 800), nullptr, {});
    const auto second = pool.make(noise(PixelType::u16, 1200, 800, 4), nullptr, {});
    EXPECT_EQ(pool.allocations(), 2U);
    const void* memory = first->level(1).data();
    first.reset();
    const auto third = pool.make(noise(PixelType::u16, 1200, 800, 5), nullptr, {});
    EXPECT_EQ(pool.allocations(), 2U);
    EXPECT_EQ(third->level(1).data(), memory);
    expectNaive(*second, nullptr);
    expectNaive(*third, nullptr);
    static_cast<void>(pool.make(noise(PixelType::u8, 1200, 800), nullptr, {}));
    EXPECT_EQ(pool.allocations(), 3U) << "another type";
}

TEST(PyramidPool, LetsGoOfTheImageWithThePyramid) {
    PyramidPool pool;
    auto image = noise(PixelType::u8, 1200, 800);
    auto pyramid = pool.make(image, nullptr, {});
    EXPECT_EQ(image.use_count(), 2);
    pyramid.reset();
    EXPECT_EQ(image.use_count(), 1);
}

TEST(PyramidPool, MayGoBeforeItsPyramids) {
    auto pool = std::make_unique<PyramidPool>();
    const auto pyramid = pool->make(noise(PixelType::u8, 1200, 800), nullptr, {});
    pool.reset();
    expectNaive(*pyramid, nullptr);
}

TEST(PyramidPool, StopsWhenAsked) {
    PyramidPool pool;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(static_cast<void>(pool.make(noise(PixelType::u8, 1200, 800), nullptr, JobControl(stop.get_token()))),
                 Cancelled);
}

} // namespace
} // namespace pollard

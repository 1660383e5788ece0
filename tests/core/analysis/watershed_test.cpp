#include "analysis/watershed.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "support/naive_watershed.hpp"
#include "support/random_images.hpp"
#include "support/random_seeds.hpp"
#include "support/random_volumes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <stop_token>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::naiveNeighbours;
using testing::naiveWatershed;
using testing::Random;
using testing::randomImage;
using testing::randomInside;
using testing::randomSeeds;
using testing::randomVolume;

std::vector<std::uint32_t> flooded(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                   const WatershedSpec& spec) {
    const Buffer<std::uint32_t> labels = watershed(image, seeds, inside, spec);
    return {labels.begin(), labels.end()};
}

void expectDefinition(Random& random, const Image& image, Connectivity connectivity) {
    const std::vector<std::uint32_t> seeds = randomSeeds(random, image);
    const std::optional<Mask> inside = randomInside(random, image);
    const Mask* mask = inside ? &*inside : nullptr;
    const WatershedSpec spec{connectivity, random() % 2 == 0, random() % 2 == 0};
    ASSERT_EQ(flooded(image, seeds, mask, spec), naiveWatershed(image, seeds, mask, spec))
        << text(image.extent()) << ", " << static_cast<int>(connectivity) << " neighbours";
}

TEST(Watershed, FollowsItsDefinitionInImages) {
    Random random(500);
    for (int i = 0; i != 2000; ++i) {
        const auto image = randomImage(random, 1 + random() % 9, 1 + random() % 9);
        expectDefinition(random, *image, random() % 2 == 0 ? Connectivity::four : Connectivity::eight);
    }
}

TEST(Watershed, FollowsItsDefinitionInVolumes) {
    Random random(501);
    constexpr Connectivity kAll[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    for (int i = 0; i != 1000; ++i) {
        const auto volume = randomVolume(random, {1 + random() % 5, 1 + random() % 5, 2 + random() % 3});
        expectDefinition(random, *volume, kAll[random() % 3]);
    }
}

TEST(Watershed, IsTheSameOnAnyNumberOfThreads) {
    Random random(502);
    for (int i = 0; i != 20; ++i) {
        const auto image = makeImage(PixelType::u8, 160, 90, [&](auto x, auto) { return random() % 9 + x / 8; });
        const std::vector<std::uint32_t> seeds = randomSeeds(random, *image);
        const std::optional<Mask> inside = randomInside(random, *image);
        const Mask* mask = inside ? &*inside : nullptr;
        const auto onThreads = [&](int threads) {
            std::vector<std::uint32_t> labels;
            ThreadArena arena(threads);
            arena.execute([&] { labels = flooded(*image, seeds, mask, {Connectivity::eight, i % 3 == 0, false}); });
            return labels;
        };
        const std::vector<std::uint32_t> labels = onThreads(1);
        EXPECT_EQ(onThreads(3), labels);
        EXPECT_EQ(onThreads(7), labels);
    }
}

TEST(Watershed, DividesAFlatImageByDistance) {
    const auto flat = makeImage(PixelType::u8, 9, 3, [](auto, auto) { return 7; });
    std::vector<std::uint32_t> seeds(27);
    seeds[9] = 2;
    seeds[17] = 1;
    const std::vector<std::uint32_t> labels = flooded(*flat, seeds, nullptr, {});
    for (std::size_t x = 0; x != 9; ++x) {
        EXPECT_EQ(labels[9 + x], x < 4 ? 2U : 1U) << "a tie goes to the smaller label; column " << x;
    }
}

TEST(Watershed, LinesKeepRegionsApart) {
    Random random(502);
    for (int i = 0; i != 200; ++i) {
        const auto image = randomImage(random, 1 + random() % 12, 1 + random() % 12);
        const Connectivity connectivity = i % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const std::vector<std::uint32_t> labels =
            flooded(*image, randomSeeds(random, *image), nullptr, {connectivity, false, true});
        for (std::uint32_t p = 0; p != labels.size(); ++p) {
            for (const std::uint32_t other : naiveNeighbours(p, image->extent(), connectivity)) {
                ASSERT_TRUE(labels[p] == 0 || labels[other] == 0 || labels[p] == labels[other]);
            }
        }
    }
}

TEST(Watershed, EveryPixelOfAConnectedImageGetsALabel) {
    Random random(503);
    const auto image = randomImage(random, 70, 50);
    std::vector<std::uint32_t> seeds(image->pixelCount());
    seeds[1234] = kMostSeeds;
    EXPECT_EQ(flooded(*image, seeds, nullptr, {}), std::vector<std::uint32_t>(seeds.size(), kMostSeeds));
}

TEST(Watershed, RefusesWhatItCannotFlood) {
    const auto image = makeImage(PixelType::u8, 4, 3, [](auto, auto) { return 0; });
    std::vector<std::uint32_t> seeds(12, 1);
    const Mask other(4, 4, true);
    EXPECT_THROW((void)watershed(*image, std::span(seeds).first(11), nullptr, {}), Error);
    EXPECT_THROW((void)watershed(*image, seeds, &other, {}), Error);
    const auto volume = testing::makeVolume(PixelType::u8, {2, 3, 2}, [](auto, auto, auto) { return 0; });
    EXPECT_THROW((void)watershed(*volume, seeds, nullptr, {}), Error) << "4 neighbours";
    seeds[3] = kMostSeeds + 1;
    EXPECT_THROW((void)watershed(*image, seeds, nullptr, {}), Error);
    seeds[3] = 0;
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((void)watershed(*image, seeds, nullptr, {}, JobControl(source.get_token())), Cancelled);
}

} // namespace
} // namespace pollard

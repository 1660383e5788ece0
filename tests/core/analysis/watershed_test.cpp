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

/// The labels with the threads of an arena. Images of more pixels than levels are flooded in bands.
std::vector<std::uint32_t> onThreads(int threads, const Image& image, std::span<const std::uint32_t> seeds,
                                     const Mask* inside, const WatershedSpec& spec) {
    std::vector<std::uint32_t> labels;
    ThreadArena arena(threads);
    arena.execute([&] { labels = flooded(image, seeds, inside, spec); });
    return labels;
}

/// One in @p every pixels, with labels in no order.
std::vector<std::uint32_t> scatteredSeeds(Random& random, const Image& image, std::uint32_t every) {
    std::vector<std::uint32_t> seeds(image.pixelCount());
    for (std::uint32_t& seed : seeds) {
        seed = random() % every == 0 ? 1 + random() % 5000 : 0;
    }
    return seeds;
}

TEST(Watershed, FollowsItsDefinitionInBands) {
    Random random(504);
    for (int i = 0; i != 12; ++i) {
        const std::uint32_t levels = i % 3 == 0 ? 1 : i % 3 == 1 ? 6 : 256;
        const auto image = makeImage(PixelType::u8, 66, 64, [&](auto, auto) { return random() % levels; });
        const std::vector<std::uint32_t> seeds = scatteredSeeds(random, *image, 12);
        const std::optional<Mask> inside = randomInside(random, *image);
        const Mask* mask = inside ? &*inside : nullptr;
        const WatershedSpec spec{i % 2 == 0 ? Connectivity::four : Connectivity::eight, i % 4 < 2, i % 5 == 0};
        EXPECT_EQ(onThreads(4, *image, seeds, mask, spec), naiveWatershed(*image, seeds, mask, spec)) << i;
    }
}

void expectSameOnThreads(Random& random, const Image& image, Connectivity connectivity, std::uint32_t every) {
    const std::vector<std::uint32_t> seeds = scatteredSeeds(random, image, every);
    const std::optional<Mask> inside = randomInside(random, image);
    const Mask* mask = inside ? &*inside : nullptr;
    const WatershedSpec spec{connectivity, random() % 2 == 0, random() % 2 == 0};
    const std::vector<std::uint32_t> labels = onThreads(1, image, seeds, mask, spec);
    for (const int threads : {2, 3, 7}) {
        ASSERT_EQ(onThreads(threads, image, seeds, mask, spec), labels)
            << threads << " threads, " << text(image.extent()) << ", a seed in " << every;
    }
}

TEST(Watershed, IsTheSameOnAnyNumberOfThreads) {
    Random random(502);
    for (int i = 0; i != 120; ++i) {
        const std::uint32_t levels = 1 + random() % (i % 2 == 0 ? 256 : 9);
        const std::uint32_t slope = 1 + random() % 16;
        const std::uint32_t noise = i % 5 == 0 ? 1 : levels;
        const auto image = makeImage(PixelType::u8, 160, 90, [&](auto x, auto y) {
            return random() % noise + (i % 3 == 0 ? (x / slope + y / 7) % 16 : 0);
        });
        expectSameOnThreads(random, *image, i % 4 < 2 ? Connectivity::four : Connectivity::eight, 1 + random() % 100);
    }
}

TEST(Watershed, IsTheSameOnAnyNumberOfThreadsWith16Bits) {
    Random random(505);
    for (int i = 0; i != 6; ++i) {
        const std::uint32_t levels = i % 3 == 0 ? 65536 : i % 3 == 1 ? 300 : 1;
        const auto image = makeImage(PixelType::u16, 1100, 720, [&](auto, auto) { return random() % levels; });
        expectSameOnThreads(random, *image, i % 2 == 0 ? Connectivity::four : Connectivity::eight, i < 3 ? 40 : 2000);
    }
}

TEST(Watershed, IsTheSameOnAnyNumberOfThreadsInVolumes) {
    Random random(506);
    constexpr Connectivity kAll[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    for (int i = 0; i != 30; ++i) {
        const std::uint32_t levels = 1 + random() % (i % 2 == 0 ? 256 : 4);
        const auto volume =
            testing::makeVolume(PixelType::u8, {23, 17, 32}, [&](auto, auto, auto) { return random() % levels; });
        expectSameOnThreads(random, *volume, kAll[i % 3], 1 + random() % 60);
    }
}

TEST(Watershed, IsTheSameOnAnyNumberOfThreadsAlongAPath) {
    // A path along the rows, to and fro, has more rounds than the times of bands can tell apart.
    const auto image = makeImage(PixelType::u16, 1100, 720, [](auto, auto) { return 5; });
    Mask path(1100, 720, true);
    for (std::uint32_t y = 1; y < 720; y += 2) {
        for (std::uint32_t x = 0; x != 1099; ++x) {
            path.set(y % 4 == 1 ? x : 1099 - x, y, false);
        }
    }
    std::vector<std::uint32_t> seeds(image->pixelCount());
    for (std::uint32_t i = 0; i != 720; ++i) {
        seeds[i % 240 + i / 240 * 1100 * 240] = i + 1;
    }
    const std::vector<std::uint32_t> labels = onThreads(1, *image, seeds, &path, {});
    EXPECT_EQ(std::ranges::count(labels, 0U), 360 * 1099) << "the path is flooded";
    EXPECT_EQ(onThreads(3, *image, seeds, &path, {}), labels);
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

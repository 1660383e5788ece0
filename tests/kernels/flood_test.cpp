#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "cuda/watershed/flood_build.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/emulated_machine.hpp"
#include "kernels/labelling_fixture.hpp"
#include "support/random_images.hpp"
#include "support/random_seeds.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The seeded watershed with the GPU kernels in the emulator, against the CPU's.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using pollard::testing::affordable;
using pollard::testing::Random;
using pollard::testing::randomInside;
using pollard::testing::randomSeeds;
using testing::EmulatedMask;

// One pixel of a thread, several, and tiles of one row or one column of threads.
using SmallTile = FloodShape<4, 4, 1, 2>;
using FlatTile = FloodShape<8, 2, 1, 1>;
using TallTile = FloodShape<3, 6, 1, 6>;
using SmallBox = FloodShape<4, 2, 2, 2>;
using DeepBox = FloodShape<2, 3, 4, 1>;

template <class Level, class Shape, int kNeighbours>
std::vector<std::uint32_t> flood(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                 const WatershedSpec& spec, std::uint32_t seed) {
    emulation::Emulator emulator(seed);
    EmulatedMachine machine(emulator, seed);
    auto labels = machine.make<std::uint32_t>(seeds.size(), "labels");
    std::copy(seeds.begin(), seeds.end(), labels.data());
    const LevelView<Level> levels{image.pixels<Level>().data(),
                                  flipOf<Level>(spec.descending ? TreeKind::min : TreeKind::max)};
    const EmulatedMask words(inside != nullptr ? *inside : Mask(1, 1, true));
    FloodBuild<EmulatedMachine, Level, Shape, kNeighbours> build(machine, levels, image.extent());
    auto found = build.run(std::move(labels), inside != nullptr ? words.view() : DeviceMask{nullptr, 0, 0}, spec.lines);
    EXPECT_EQ(machine.stages(), (std::vector<std::string>{"seeds", "times", "labels"}));
    return {found.data(), found.data() + found.size()};
}

template <class Shape> std::vector<std::uint32_t> flood(const Image& image, std::span<const std::uint32_t> seeds,
                                                        const Mask* inside, const WatershedSpec& spec,
                                                        std::uint32_t seed) {
    return dispatch(image.type(), [&]<class Level>(Level) {
        if constexpr (Shape::kDepth == 1) {
            return spec.connectivity == Connectivity::four ? flood<Level, Shape, 4>(image, seeds, inside, spec, seed)
                                                           : flood<Level, Shape, 8>(image, seeds, inside, spec, seed);
        } else {
            return spec.connectivity == Connectivity::six ? flood<Level, Shape, 6>(image, seeds, inside, spec, seed)
                   : spec.connectivity == Connectivity::eighteen
                       ? flood<Level, Shape, 18>(image, seeds, inside, spec, seed)
                       : flood<Level, Shape, 26>(image, seeds, inside, spec, seed);
        }
    });
}

template <class Shape> void expectLabels(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                         const WatershedSpec& spec, std::uint32_t seed) {
    const Buffer<std::uint32_t> labels = watershed(image, seeds, inside, spec);
    const std::vector<std::uint32_t> expected(labels.begin(), labels.end());
    ASSERT_EQ(flood<Shape>(image, seeds, inside, spec, seed), expected)
        << text(image.extent()) << ", " << static_cast<int>(spec.connectivity) << " neighbours, seed " << seed
        << ", tiles of " << Shape::kWidth << " x " << Shape::kHeight << " x " << Shape::kDepth;
}

/// Random seeds, mask and specification.
template <class... Shapes> void expectAll(Random& random, const Image& image, Connectivity connectivity) {
    const std::vector<std::uint32_t> seeds = randomSeeds(random, image);
    const std::optional<Mask> inside = randomInside(random, image);
    const WatershedSpec spec{connectivity, random() % 2 == 0, random() % 2 == 0};
    (expectLabels<Shapes>(image, seeds, inside ? &*inside : nullptr, spec, random()), ...);
}

TEST(FloodKernels, EqualTheCpusInRandomImages) {
    for (std::uint32_t seed = 0; seed != affordable(2000) && !::testing::Test::HasFailure(); ++seed) {
        Random random(seed);
        const auto image = pollard::testing::randomImage(random, 1 + random() % 20, 1 + random() % 20);
        expectAll<SmallTile, FlatTile, TallTile>(random, *image,
                                                 seed % 2 == 0 ? Connectivity::four : Connectivity::eight);
    }
}

TEST(FloodKernels, EqualTheCpusInRandomVolumes) {
    constexpr Connectivity kAll[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    for (std::uint32_t seed = 0; seed != affordable(600) && !::testing::Test::HasFailure(); ++seed) {
        Random random(seed);
        const auto volume =
            pollard::testing::randomVolume(random, {1 + random() % 8, 1 + random() % 8, 2 + random() % 6});
        expectAll<SmallBox, DeepBox>(random, *volume, kAll[seed % 3]);
    }
}

TEST(FloodKernels, EqualTheCpusInEveryOrderOfThreads) {
    Random random(5);
    const auto image = pollard::testing::randomImage(random, 13, 11);
    const std::vector<std::uint32_t> seeds = randomSeeds(random, *image);
    for (std::uint32_t seed = 0; seed != affordable(300) && !::testing::Test::HasFailure(); ++seed) {
        expectLabels<SmallTile>(*image, seeds, nullptr, {Connectivity::eight, false, false}, seed);
    }
}

TEST(FloodKernels, EqualTheCpusInImagesOfEveryShape) {
    std::uint32_t seed = 0;
    for (const auto& image : testing::imagesOfEveryShape()) {
        Random random(++seed);
        expectAll<SmallTile, TallTile>(random, *image, Connectivity::four);
        std::vector<std::uint32_t> corner(image->pixelCount());
        corner.front() = 3;
        corner.back() = 2;
        expectLabels<FlatTile>(*image, corner, nullptr, {Connectivity::eight, true, true}, seed);
    }
}

TEST(FloodKernels, EqualTheCpusWithTheTilesOfTheEngine) {
    for (std::uint32_t seed = 0; seed != affordable(8) && !::testing::Test::HasFailure(); ++seed) {
        Random random(900 + seed);
        const std::uint32_t range = seed % 3 == 0 ? 0xffffU : seed % 3 == 1 ? 7U : 1U;
        const auto noise = pollard::testing::makeImage(seed % 2 == 0 ? PixelType::u16 : PixelType::u8, 70, 67,
                                                       [&](auto, auto) { return random() & range; });
        expectAll<EngineFloodShape>(random, *noise, seed % 2 == 0 ? Connectivity::four : Connectivity::eight);
        const auto volume = pollard::testing::randomVolume(random, {18, 17, 10});
        expectAll<EngineFloodBox>(random, *volume, Connectivity::twentySix);
    }
}

TEST(FloodKernels, RefuseLargeSeeds) {
    const auto image = pollard::testing::makeImage(PixelType::u16, 12, 3, [](auto, auto) { return 9; });
    std::vector<std::uint32_t> seeds(36);
    seeds[5] = kMostSeeds + 1;
    EXPECT_THROW((void)flood<SmallTile>(*image, seeds, nullptr, {}, 1), Error);
    Mask inside(12, 3, true);
    inside.set(5, 0, false);
    EXPECT_NO_THROW((void)flood<SmallTile>(*image, seeds, &inside, {}, 1)) << "a seed outside counts for nothing";
}

TEST(FloodKernels, KnowTheRoundsOfTimes) {
    using Time = FloodTime<std::uint16_t>;
    const std::uint32_t last = Time::begin(7) + Time::kLastRound;
    EXPECT_EQ(Time::after(last - 1, Time::begin(7)), last);
    EXPECT_EQ(Time::after(last, Time::begin(7)), Time::kNever);
    EXPECT_EQ(Time::after(last, Time::begin(8)), Time::begin(8) + 1);
    EXPECT_EQ(Time::after(Time::begin(0xffff) + Time::kLastRound - 1, 0), Time::kNever - 1);
    const std::vector<std::uint32_t> times{Time::kOutside, Time::kNever, last, Time::begin(65535)};
    const RoundOfPixel<std::uint16_t> round{times.data()};
    EXPECT_EQ(round(0), 0U);
    EXPECT_EQ(round(1), 0U);
    EXPECT_EQ(round(2), Time::kLastRound);
    EXPECT_EQ(round(3), 0U);
}

} // namespace
} // namespace pollard::cuda

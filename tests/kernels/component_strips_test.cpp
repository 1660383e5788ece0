#include "cuda/components/strips/strip_build.hpp"

#include "components/threshold.hpp"
#include "kernels/labelling_fixture.hpp"
#include "kernels/strip_test_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The algorithm "strips" with the GPU kernels in the emulator, against flooding and the CPU's records.

namespace pollard::cuda {
namespace {

using testing::affordable;
using testing::EmulatedMask;
using testing::RandomObjects;
using testing::StripTestMachine;

/// Strips of 8 rows, groups of two strips, and small limits for the rest.
constexpr StripTuning kTight{.sharedBytes = std::size_t{1} << 18U,
                             .joinThreads = 16,
                             .numberThreads = 8,
                             .measureThreads = 32,
                             .groupBits = 1,
                             .fewStrips = 1,
                             .measureBlocks = 3,
                             .borderSteps = 1,
                             .slotBits = 3,
                             .measuredAtOnce = 7,
                             .fewPieces = 9,
                             .largePieces = 20};

class StripKernels : public ::testing::TestWithParam<Connectivity> {
protected:
    void compare(const Mask& mask, const Image* grey, std::uint32_t seed, const StripTuning& tuning, bool labels = true,
                 StripRoom expected = {}) {
        const Connectivity connectivity = GetParam();
        const bool eight = connectivity == Connectivity::eight;
        const Components oracle = labelComponents(mask, grey, {.connectivity = connectivity, .algorithm = {}});
        emulator_.restart(seed);
        const EmulatedMask onDevice(mask);
        StripTestMachine machine(emulator_, seed);
        const StripInput input{onDevice.view(),
                               grey == nullptr ? nullptr : grey->data(),
                               grey == nullptr ? PixelType::u8 : grey->type(),
                               std::nullopt,
                               eight ? Connectivity::eight : Connectivity::four,
                               labels,
                               true,
                               expected};
        auto found = findByStrips(machine, input, tuning);
        stages_ = machine.stages();
        EXPECT_EQ(found.totals.objects, oracle.count);
        EXPECT_EQ(found.totals.foreground, oracle.foreground);
        if (labels) {
            const std::vector<std::uint32_t> painted(found.labels.data(), found.labels.data() + found.labels.size());
            EXPECT_TRUE(painted == pollard::testing::floodedLabels(mask, eight));
        } else {
            EXPECT_EQ(found.labels.size(), 0U);
        }
        ComponentRecords records(oracle.count, ComponentRecord{});
        ASSERT_GE(found.records.size(), records.size());
        if (!records.empty()) {
            std::memcpy(static_cast<void*>(records.data()), static_cast<void*>(found.records.data()),
                        records.size() * sizeof(ComponentRecord));
        }
        EXPECT_TRUE(records == oracle.objects);
        EXPECT_FALSE(HasFailure()) << mask.width() << " x " << mask.height() << " px, seed " << seed;
    }

    /// Compares the objects of all levels from @p low with the objects of the corresponding mask.
    void compareLevels(const Image& image, std::uint16_t low, std::uint32_t seed, const StripTuning& tuning) {
        const bool eight = GetParam() == Connectivity::eight;
        const Mask mask = thresholdMask(image, low, 0xffff, nullptr);
        const Components oracle = labelComponents(mask, &image, {.connectivity = GetParam(), .algorithm = {}});
        emulator_.restart(seed);
        StripTestMachine machine(emulator_, seed);
        auto words = machine.make<std::uint32_t>(ThresholdPass<std::uint8_t>::wordCount(image.width(), image.height()),
                                                 "the mask");
        const MaskedLevels levels{
            {image.data(), image.type(), image.width(), image.height()}, {low, 0xffff}, words.data()};
        const StripInput input{{words.data(), image.width(), image.height()},
                               image.data(),
                               image.type(),
                               levels,
                               eight ? Connectivity::eight : Connectivity::four};
        auto found = findByStrips(machine, input, tuning);
        const std::vector<std::uint32_t> painted(found.labels.data(), found.labels.data() + found.labels.size());
        EXPECT_TRUE(painted == pollard::testing::floodedLabels(mask, eight));
        const EmulatedMask expected(mask);
        EXPECT_TRUE(std::equal(words.data(), words.data() + words.size(), expected.view().words));
        EXPECT_EQ(found.totals.objects, oracle.count);
        EXPECT_TRUE(std::equal(oracle.objects.begin(), oracle.objects.end(), found.records.data()));
        EXPECT_FALSE(HasFailure()) << image.width() << " x " << image.height() << " px, seed " << seed;
    }

    emulation::Emulator emulator_{0};
    std::vector<std::string> stages_;
};

TEST_P(StripKernels, GiveTheObjectsOfRandomMasks) {
    for (std::uint32_t seed = 0; seed < affordable(1500) && !HasFailure(); ++seed) {
        const RandomObjects drawn(seed, 90, 40);
        compare(drawn.mask, seed % 4 == 0 ? nullptr : drawn.grey.get(), seed, kTight);
    }
}

TEST_P(StripKernels, GiveTheObjectsOfRandomMasksInStripsOfEveryHeight) {
    for (std::uint32_t seed = 0; seed < affordable(600) && !HasFailure(); ++seed) {
        const RandomObjects drawn(10'000 + seed, 90, 30);
        StripTuning tuning = kTight;
        tuning.sharedBytes = 500 + 500 * (seed % 4);
        tuning.slotBits = 1 + seed % 5;
        tuning.measuredAtOnce = 1 + seed % 40;
        tuning.measureThreads = 32 << seed % 2;
        tuning.measureBlocks = 1 + seed % 13;
        tuning.fewPieces = 9 + seed % 8;
        tuning.largePieces = tuning.fewPieces + seed % 60;
        tuning.joinThreads = 1 + seed % 40;
        tuning.groupBits = 1 + seed % 3;
        tuning.fewStrips = 1 + seed % 6;
        tuning.borderSteps = 1U << seed % 12;
        tuning.numberThreads = 1 + seed % 20; // few: counted by a separate pass
        compare(drawn.mask, seed % 4 == 0 ? nullptr : drawn.grey.get(), seed, tuning, seed % 7 != 0);
    }
}

TEST_P(StripKernels, GiveTheObjectsOfRandomMasksInOneLaunch) {
    for (std::uint32_t seed = 0; seed < affordable(400) && !HasFailure(); ++seed) {
        const RandomObjects drawn(30'000 + seed, seed % 5 == 0 ? 20 : 90, seed % 5 == 0 ? 300 : 40);
        StripTuning tuning = kTight;
        tuning.inCluster = seed % 4 == 0 ? 64 : seed % 16; // strips of four rows and more
        tuning.inGrid = 64;                                // of eight rows or four, if not in a cluster
        tuning.sharedBytes = seed % 3 == 0 ? 2000 : tuning.sharedBytes;
        tuning.joinThreads = 32 << seed % 2;
        compare(drawn.mask, drawn.grey.get(), seed, tuning, seed % 7 != 0);
    }
    compare(Mask(50, 20, true), nullptr, 1, [] {
        StripTuning tuning = kTight;
        tuning.inGrid = 3;
        return tuning;
    }());
    EXPECT_EQ(stages_, (std::vector<std::string>{"memory", "labels", "features"}));
}

TEST_P(StripKernels, GiveTheObjectsOfLevels) {
    for (std::uint32_t seed = 0; seed < affordable(300) && !HasFailure(); ++seed) {
        const RandomObjects drawn(40'000 + seed, 140, 30);
        StripTuning tuning = kTight;
        tuning.joinThreads = 32 << seed % 2;
        tuning.inCluster = seed % 3 == 0 ? 64 : 0;
        tuning.inGrid = seed % 3 == 1 ? 64 : 0;
        const auto low = static_cast<std::uint16_t>(seed % (maxLevelOf(drawn.grey->type()) + 1U));
        compareLevels(*drawn.grey, seed % 2 == 0 ? low : static_cast<std::uint16_t>(maxLevelOf(drawn.grey->type()) / 2),
                      seed, tuning);
    }
}

TEST_P(StripKernels, GiveTheSameWhateverIsExpected) {
    for (std::uint32_t seed = 0; seed < affordable(600) && !HasFailure(); ++seed) {
        const RandomObjects drawn(20'000 + seed, 90, 40);
        // Zero, too small in both or in one, just sufficient or larger.
        const StripRoom expected{seed % 5 * (1 + seed % 30), seed % 7 * (seed % 40)};
        compare(drawn.mask, seed % 4 == 0 ? nullptr : drawn.grey.get(), seed, kTight, seed % 3 != 0, expected);
    }
    const Mask none(70, 30, false);
    compare(none, nullptr, 1, kTight, true, {5, 5});
    const Mask all(70, 30, true);
    compare(all, nullptr, 1, kTight, true, {1, 0});
    compare(all, nullptr, 1, kTight, true, {1, 3});
    EXPECT_EQ(stages_, (std::vector<std::string>{"memory", "runs", "borders", "numbers", "labels", "features"}));
}

TEST_P(StripKernels, GiveTheObjectsOfMasksOfManyWordsAndStrips) {
    for (std::uint32_t seed = 0; seed < affordable(30) && !HasFailure(); ++seed) {
        const RandomObjects wide(seed, 700, 20);
        compare(wide.mask, wide.grey.get(), seed, kTight);
        const RandomObjects tall(seed, 40, 300);
        compare(tall.mask, tall.grey.get(), seed, kTight);
    }
}

TEST_P(StripKernels, GiveTheObjectsOfHardMasks) {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes{
        {1, 1},  {1, 37},  {37, 1},  {31, 3},  {32, 4},  {33, 5},  {63, 7},   {64, 8},
        {65, 9}, {96, 16}, {97, 17}, {128, 8}, {129, 4}, {300, 6}, {257, 13}, {5, 265}};
    std::uint32_t seed = 0;
    for (const auto& [width, height] : sizes) {
        const PixelType type = seed % 2 == 0 ? PixelType::u8 : PixelType::u16;
        pollard::testing::Random random(seed);
        const auto grey = pollard::testing::makeImage(type, width, height, [&](auto, auto) { return random() % 256; });
        for (const Mask& mask : pollard::testing::hardMasks(width, height)) {
            compare(mask, grey.get(), ++seed, kTight);
            StripTuning other = kTight;
            other.sharedBytes = 1200;
            compare(mask, nullptr, ++seed, other);
        }
    }
}

TEST_P(StripKernels, SumUpRowsOfMoreThan65536Pixels) {
    std::uint32_t seed = 0;
    for (const std::uint32_t density : {3U, 97U, 100U}) {
        pollard::testing::Random random(density);
        const Mask mask = pollard::testing::granularMask(random, 131'100, 2, 1 + density / 10, density);
        const auto grey = pollard::testing::makeImage(PixelType::u16, mask.width(), mask.height(),
                                                      [&](auto, auto) { return 65535 - random() % 3; });
        StripTuning tuning = kTight;
        tuning.measuredAtOnce = 500;
        tuning.joinThreads = 32;
        tuning.measureThreads = 32;
        compare(mask, grey.get(), ++seed, tuning);
        const Mask narrower = pollard::testing::granularMask(random, 65'536, 2, 1 + density / 10, density);
        const auto bright = pollard::testing::makeImage(PixelType::u16, 65'536, 2, [](auto, auto) { return 65535; });
        compare(narrower, bright.get(), ++seed, tuning);
    }
}

TEST_P(StripKernels, NameTheirStages) {
    const RandomObjects drawn(7, 60, 20);
    compare(drawn.mask, drawn.grey.get(), 7, kTight);
    EXPECT_EQ(stages_, (std::vector<std::string>{"memory", "runs", "borders", "numbers", "labels", "features"}));
}

INSTANTIATE_TEST_SUITE_P(All, StripKernels, ::testing::Values(Connectivity::four, Connectivity::eight),
                         [](const auto& instance) { return instance.param == Connectivity::four ? "four" : "eight"; });

TEST(StripLayout, KeepsToTheSharedMemoryAndToWhatWordsHold) {
    constexpr std::size_t kShared = 115'712;
    for (const std::uint32_t width : {1U, 512U, 4096U, 6001U, 8192U, 20001U, 65'536U, 65'537U, 131'072U, 5'000'000U}) {
        const auto layout = StripLayout::of(width, 100, kShared, 1024);
        EXPECT_LE(layout.rows, 8U);
        EXPECT_EQ(layout.rows, 1U << layout.rowBits);
        EXPECT_EQ(layout.strips, (100 + layout.rows - 1) / layout.rows);
        EXPECT_TRUE(layout.rows == 1 || layout.joiningBytes() <= kShared);
        EXPECT_TRUE(!layout.isNarrow() || width * layout.rows <= StripLayout::kMostPixels);
        EXPECT_GE(layout.runs, layout.rows * ((width + 1) / 2));
        EXPECT_EQ(layout.runs % 4, 0U);
        EXPECT_EQ(layout.threads % 32, 0U);
        EXPECT_LE(layout.threads, 1024U);
    }
    EXPECT_EQ(StripLayout::of(4096, 4096, kShared, 1024).rows, 8U);
    EXPECT_EQ(StripLayout::of(20001, 4096, kShared, 1024).rows, 2U);
}

TEST(StripLayout, MakesFewStripsWhereTheyShareALaunch) {
    constexpr std::size_t kShared = 115'712;
    constexpr std::uint32_t kTogether = 16;
    for (const auto& [width, height, rows] :
         {std::array{1U, 1U, 4U}, std::array{512U, 64U, 4U}, std::array{512U, 65U, 8U}, std::array{512U, 128U, 8U},
          std::array{512U, 129U, 8U}, std::array{4096U, 512U, 8U}}) {
        const auto layout = StripLayout::of(width, height, kShared, 1024, kTogether);
        EXPECT_EQ(layout.rows, rows) << width << " x " << height;
        EXPECT_EQ(layout.isTogether(kTogether), layout.strips <= kTogether);
        EXPECT_LE(layout.joiningBytes(), kShared);
    }
}

TEST(StripBuild, RefusesMoreNodesThan32BitsNumber) {
    emulation::Emulator emulator(0);
    StripTestMachine machine(emulator, 0);
    const StripInput input{DeviceMask{nullptr, 1, 0xffff'ffffU}};
    EXPECT_THROW((void)findByStrips(machine, input, kTight), Error);
}

} // namespace
} // namespace pollard::cuda

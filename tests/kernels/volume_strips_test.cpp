#include "components/components.hpp"
#include "cuda/components/volumes/volume_build.hpp"
#include "kernels/labelling_fixture.hpp"
#include "kernels/strip_test_machine.hpp"
#include "support/object_volumes.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Objects of volumes by the algorithm "strips" with the GPU kernels in the emulator, against the CPU's.

namespace pollard::cuda {
namespace {

using pollard::testing::objectVolume;
using pollard::testing::Random;
using testing::affordable;
using testing::EmulatedMask;
using testing::StripTestMachine;

/// Groups of two slices, and small limits for the rest.
constexpr StripTuning kTight{.sharedBytes = std::size_t{1} << 18U,
                             .joinThreads = 16,
                             .numberThreads = 8,
                             .measureThreads = 32,
                             .groupBits = 1,
                             .fewStrips = 1,
                             .borderSteps = 1,
                             .volumeSlotBits = 3};

class VolumeStrips : public ::testing::TestWithParam<Connectivity> {
protected:
    void compare(const Mask& mask, const Extent& extent, const Image* grey, std::uint32_t seed,
                 const StripTuning& tuning = kTight, bool labels = true, bool features = true) {
        SCOPED_TRACE(text(extent) + ", seed " + std::to_string(seed));
        const Components oracle =
            labelComponents(mask, grey, {.connectivity = GetParam(), .algorithm = {}, .slices = extent.slices});
        emulator_.restart(seed);
        const EmulatedMask onDevice(mask);
        StripTestMachine machine(emulator_, seed);
        const auto layout = VolumeStripLayout::of(extent, tuning.sharedBytes, tuning.joinThreads);
        ASSERT_TRUE(layout.has_value());
        auto found =
            findInVolume(machine,
                         {onDevice.view(), grey == nullptr ? nullptr : grey->data(),
                          grey == nullptr ? PixelType::u8 : grey->type(), std::nullopt, GetParam(), labels, features},
                         tuning, *layout);
        stages_ = machine.stages();
        ASSERT_EQ(found.totals.objects, oracle.count);
        ASSERT_EQ(found.totals.foreground, oracle.foreground);
        ASSERT_EQ(found.labels.size(), labels ? oracle.labels.size() : 0);
        ASSERT_TRUE(!labels || std::equal(oracle.labels.begin(), oracle.labels.end(), found.labels.data()));
        ASSERT_EQ(found.records.size(), features ? oracle.objects.size() : 0);
        for (std::size_t i = 0; features && i < oracle.objects.size(); ++i) {
            ASSERT_TRUE((found.records.data()[i] == VolumeRecord{oracle.objects[i], oracle.depths[i]}))
                << "object " << i + 1;
        }
    }

    [[nodiscard]] static std::shared_ptr<Image> greyOf(Random& random, const Extent& extent) {
        return pollard::testing::makeVolume(random() % 2 == 0 ? PixelType::u8 : PixelType::u16, extent,
                                            [&](auto, auto, auto) { return random(); });
    }

    emulation::Emulator emulator_{0};
    std::vector<std::string> stages_;
};

TEST_P(VolumeStrips, GiveTheObjectsOfRandomVolumes) {
    for (std::uint32_t seed = 0; seed < affordable(5000); ++seed) {
        Random random(seed);
        const Extent extent{1 + random() % (seed % 5 == 0 ? 90 : 12), 1 + random() % (seed % 7 == 0 ? 30 : 9),
                            1 + random() % 9};
        const Mask mask = objectVolume(random, extent);
        const auto grey = greyOf(random, extent);
        ASSERT_NO_FATAL_FAILURE(compare(mask, extent, seed % 4 == 0 ? nullptr : grey.get(), seed));
    }
}

TEST_P(VolumeStrips, GiveTheObjectsOfRandomVolumesInStripsOfEveryHeight) {
    for (std::uint32_t seed = 0; seed < affordable(2000); ++seed) {
        Random random(10'000 + seed);
        const Extent extent{33 + random() % 60, 1 + random() % 20, 1 + random() % 12};
        const Mask mask = objectVolume(random, extent);
        const auto grey = greyOf(random, extent);
        StripTuning tuning = kTight;
        tuning.sharedBytes = 1300 + 500 * (seed % 4);
        tuning.volumeSlotBits = 1 + seed % 6;
        tuning.measureThreads = 32 << seed % 2;
        tuning.joinThreads = 1 + seed % 40;
        tuning.groupBits = 1 + seed % 3;
        tuning.fewStrips = 1 + seed % 6;
        tuning.borderSteps = 1U << seed % 12;
        tuning.numberThreads = 1 + seed % 20; // few: counted by a separate pass
        ASSERT_NO_FATAL_FAILURE(compare(mask, extent, grey.get(), seed, tuning, seed % 7 != 0, seed % 5 != 0));
    }
}

TEST_P(VolumeStrips, GiveTheObjectsOfLinesAndPlanes) {
    std::uint32_t seed = 0;
    for (const Extent extent : {Extent{1, 1, 1}, Extent{1, 1, 200}, Extent{1, 200, 2}, Extent{200, 1, 3},
                                Extent{1, 20, 20}, Extent{20, 1, 20}, Extent{32, 8, 4}, Extent{33, 9, 5},
                                Extent{64, 16, 3}, Extent{31, 7, 6}, Extent{97, 3, 17}}) {
        for (int repeat = 0; repeat < 12; ++repeat) {
            Random random(20'000 + ++seed);
            const auto grey = greyOf(random, extent);
            ASSERT_NO_FATAL_FAILURE(compare(objectVolume(random, extent), extent, grey.get(), seed));
        }
        const auto rows = static_cast<std::uint32_t>(extent.rows());
        ASSERT_NO_FATAL_FAILURE(compare(Mask(extent.width, rows, true), extent, nullptr, ++seed));
        ASSERT_NO_FATAL_FAILURE(compare(Mask(extent.width, rows, false), extent, nullptr, ++seed));
    }
}

TEST_P(VolumeStrips, NameTheirStages) {
    Random random(7);
    const Extent extent{30, 20, 4};
    compare(Mask(30, 80, true), extent, nullptr, 1);
    EXPECT_EQ(stages_,
              (std::vector<std::string>{"memory", "runs", "borders", "slices", "numbers", "labels", "features"}));
}

INSTANTIATE_TEST_SUITE_P(All, VolumeStrips,
                         ::testing::Values(Connectivity::six, Connectivity::eighteen, Connectivity::twentySix),
                         [](const auto& instance) { return std::to_string(static_cast<int>(instance.param)); });

TEST(VolumeStripLayout, HasWholeStripsInEverySlice) {
    constexpr std::size_t kShared = 115'712;
    for (const Extent extent : {Extent{512, 512, 300}, Extent{512, 511, 3}, Extent{20'001, 30, 4}, Extent{5, 1, 7},
                                Extent{5, 2, 7}, Extent{5, 3, 7}, Extent{5, 5, 7}, Extent{100, 100, 1}}) {
        const auto layout = VolumeStripLayout::of(extent, kShared, 1024);
        ASSERT_TRUE(layout.has_value());
        const PaddedRows& rows = layout->rows;
        EXPECT_GE(rows.rowsOfSlice, extent.height);
        EXPECT_LT(rows.rowsOfSlice, extent.height + layout->strips.rows);
        EXPECT_EQ(rows.rowsOfSlice % layout->strips.rows, 0U);
        EXPECT_EQ(layout->strips.height, rows.rowsOfSlice * extent.slices);
        EXPECT_EQ(layout->strips.strips, layout->stripsOfSlice() * extent.slices);
        EXPECT_LE(layout->strips.joiningBytes(), kShared);
        EXPECT_TRUE(layout->strips.isNarrow());
    }
    EXPECT_FALSE(VolumeStripLayout::of({60'000, 30, 4}, kShared, 1024).has_value());
    EXPECT_FALSE(VolumeStripLayout::of({1, 1, 0x8000'0000U}, kShared, 1024).has_value());
    EXPECT_TRUE(VolumeStripLayout::of({1, 2, 0x3000'0000U}, kShared, 1024).has_value());
}

} // namespace
} // namespace pollard::cuda

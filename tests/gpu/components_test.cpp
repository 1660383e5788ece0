#include "base/error.hpp"
#include "components/components.hpp"
#include "cuda/components/device_labeller.hpp"
#include "cuda/components/labelling.hpp"
#include "on_gpu.hpp"
#include "support/object_masks.hpp"
#include "support/object_volumes.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The algorithm "strips" on the GPU, by way of the engine's DeviceLabeller, against the CPU's labels and records.

namespace pollard::testing {
namespace {

class ObjectsOnDevice : public OnGpu, public ::testing::WithParamInterface<Connectivity> {
protected:
    /// @param eachPart labels and records alone as well
    void compare(const Mask& mask, const Image* grey, bool eachPart = false) {
        ComponentsSpec spec{.connectivity = GetParam(), .algorithm = {}};
        const Components expected = labelComponents(mask, grey, spec);
        spec.algorithm = "strips";
        for (const auto& [labels, features] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
            spec.labels = labels;
            spec.features = features;
            const Components found = labeller_.label(mask, grey, spec, {});
            EXPECT_EQ(found.algorithm, spec.algorithm);
            EXPECT_EQ(found.count, expected.count);
            EXPECT_EQ(found.foreground, expected.foreground);
            EXPECT_TRUE(labels ? std::ranges::equal(found.labels, expected.labels) : found.labels.empty());
            EXPECT_TRUE(features ? found.objects == expected.objects : found.objects.empty());
            EXPECT_FALSE(found.stages.empty());
            if (!eachPart) {
                break;
            }
        }
    }
    void compareRandom(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t granularity,
                       std::uint32_t density, bool eachPart = false) {
        const Mask mask = granularMask(random, width, height, granularity, density);
        const PixelType type = random() % 2 == 0 ? PixelType::u8 : PixelType::u16;
        const auto grey = makeImage(type, width, height, [&](auto, auto) { return random(); });
        compare(mask, random() % 4 == 0 ? nullptr : grey.get(), eachPart);
        EXPECT_FALSE(HasFailure()) << width << " x " << height << " px, granularity " << granularity << ", density "
                                   << density;
    }

    cuda::DeviceLabeller labeller_;
};

TEST_P(ObjectsOnDevice, EqualTheCpusOnAFewMasks) { // few enough for a tool that checks every access
    Random random(80);
    for (int repeat = 0; repeat < 6 && !HasFailure(); ++repeat) {
        const std::uint32_t width = 1 + random() % 400;
        const std::uint32_t height = 1 + random() % 100;
        compareRandom(random, width, height, 1 + random() % 3, 30 + random() % 60);
    }
}

TEST_P(ObjectsOnDevice, EqualTheCpusOnSmallMasks) {
    Random random(81);
    for (int repeat = 0; repeat < 300 && !HasFailure(); ++repeat) {
        const std::uint32_t width = 1 + random() % (repeat % 5 == 0 ? 700 : 90);
        const std::uint32_t height = 1 + random() % (repeat % 7 == 0 ? 300 : 60);
        const std::uint32_t granularity = 1 + random() % 16;
        compareRandom(random, width, height, granularity, random() % 101, true);
    }
}

TEST_P(ObjectsOnDevice, EqualTheCpusOnHardMasks) {
    for (const auto& [width, height] : {std::pair(1U, 1U), std::pair(1U, 3000U), std::pair(3000U, 1U),
                                        std::pair(129U, 70U), std::pair(1027U, 1300U), std::pair(2048U, 2048U)}) {
        for (const Mask& mask : hardMasks(width, height)) {
            compare(mask, nullptr);
        }
    }
}

TEST_P(ObjectsOnDevice, EqualTheCpusOnLargeMasks) {
    Random random(82);
    for (const auto& [width, height, granularity, density] :
         {std::tuple(6001U, 4003U, 1U, 55U), std::tuple(6001U, 4003U, 4U, 62U), std::tuple(20001U, 501U, 1U, 50U),
          std::tuple(70001U, 90U, 2U, 60U), std::tuple(140'001U, 20U, 3U, 70U), std::tuple(333U, 40001U, 3U, 60U)}) {
        compareRandom(random, width, height, granularity, density);
    }
}

TEST_P(ObjectsOnDevice, EqualTheCpusAtAllDensities) {
    Random random(83);
    for (std::uint32_t density = 10; density <= 90; density += 20) {
        compareRandom(random, 4096, 4096, 1U << (density / 10 % 5), density);
    }
    for (const std::uint32_t density : {40U, 60U, 80U, 100U}) {
        compareRandom(random, 4096, 4096, 1, density);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ObjectsOnDevice, ::testing::Values(Connectivity::four, Connectivity::eight),
                         [](const auto& instance) { return instance.param == Connectivity::four ? "four" : "eight"; });

class VolumeObjectsOnDevice : public OnGpu, public ::testing::WithParamInterface<Connectivity> {
protected:
    void compare(const Mask& mask, const Extent& extent, const Image* grey, bool eachPart = false) {
        SCOPED_TRACE(text(extent));
        ComponentsSpec spec{.connectivity = GetParam(), .algorithm = {}, .slices = extent.slices};
        const Components expected = labelComponents(mask, grey, spec);
        spec.algorithm = "strips";
        for (const auto& [labels, features] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
            spec.labels = labels;
            spec.features = features;
            const Components found = labeller_.label(mask, grey, spec, {});
            ASSERT_EQ(found.algorithm, spec.algorithm);
            ASSERT_EQ(found.connectivity, spec.connectivity);
            ASSERT_EQ(found.extent(), extent);
            ASSERT_EQ(found.count, expected.count);
            ASSERT_EQ(found.foreground, expected.foreground);
            ASSERT_TRUE(labels ? std::ranges::equal(found.labels, expected.labels) : found.labels.empty());
            ASSERT_TRUE(features ? found.objects == expected.objects : found.objects.empty());
            ASSERT_TRUE(features ? found.depths == expected.depths : found.depths.empty());
            ASSERT_FALSE(found.stages.empty());
            if (!eachPart) {
                break;
            }
        }
    }
    void compareRandom(Random& random, const Extent& extent, bool eachPart = false) {
        const Mask mask = objectVolume(random, extent);
        const PixelType type = random() % 2 == 0 ? PixelType::u8 : PixelType::u16;
        const auto grey = makeVolume(type, extent, [&](auto, auto, auto) { return random(); });
        compare(mask, extent, random() % 4 == 0 ? nullptr : grey.get(), eachPart);
    }

    cuda::DeviceLabeller labeller_;
};

TEST_P(VolumeObjectsOnDevice, EqualTheCpusOnAFewMasks) { // few enough for a tool that checks every access
    Random random(84);
    for (int repeat = 0; repeat < 6; ++repeat) {
        ASSERT_NO_FATAL_FAILURE(compareRandom(random, {1 + random() % 100, 1 + random() % 40, 1 + random() % 20}));
    }
}

TEST_P(VolumeObjectsOnDevice, EqualTheCpusOnSmallMasks) {
    Random random(85);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const std::uint32_t most = repeat % 5 == 0 ? 200 : 40;
        ASSERT_NO_FATAL_FAILURE(
            compareRandom(random, {1 + random() % most, 1 + random() % 50, 1 + random() % 50}, true));
    }
}

TEST_P(VolumeObjectsOnDevice, EqualTheCpusOnLinesPlanesAndLargeMasks) {
    Random random(86);
    for (const Extent extent :
         {Extent{1, 1, 1}, Extent{1, 1, 5000}, Extent{5000, 1, 2}, Extent{1, 5000, 2}, Extent{9000, 5, 3},
          Extent{256, 256, 128}, Extent{301, 203, 97}, Extent{64, 64, 700}, Extent{512, 1000, 20}}) {
        for (int repeat = 0; repeat < 4; ++repeat) {
            ASSERT_NO_FATAL_FAILURE(compareRandom(random, extent));
        }
        ASSERT_NO_FATAL_FAILURE(
            compare(Mask(extent.width, static_cast<std::uint32_t>(extent.rows()), true), extent, nullptr));
    }
}

INSTANTIATE_TEST_SUITE_P(All, VolumeObjectsOnDevice,
                         ::testing::Values(Connectivity::six, Connectivity::eighteen, Connectivity::twentySix),
                         [](const auto& instance) { return std::to_string(static_cast<int>(instance.param)); });

class ObjectsThat : public OnGpu {};

TEST_F(ObjectsThat, AreInVolumesTooWideOrOfOtherAlgorithmsAreRefused) {
    cuda::DeviceLabeller labeller;
    const ComponentsSpec six{.connectivity = Connectivity::six, .algorithm = {}, .slices = 2};
    try {
        (void)labeller.label(Mask(70'000, 6, true), nullptr, six, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable); // another engine may take over
    }
    EXPECT_THROW((void)labeller.label(Mask(7, 6, true), nullptr,
                                      {.connectivity = Connectivity::six, .algorithm = "tmk", .slices = 2}, {}),
                 Error);
    EXPECT_THROW((void)labeller.label(Mask(7, 5, true), nullptr, six, {}), Error);
    EXPECT_EQ(labeller.label(Mask(7, 6, true), nullptr, six, {}).count, 1U);
}

TEST_F(ObjectsThat, CannotBeFoundSayWhy) {
    cuda::DeviceLabeller labeller;
    const Mask mask(9, 7, true);
    EXPECT_THROW((void)labeller.label(mask, nullptr, {.algorithm = "none"}, {}), Error);
    const Image grey(PixelType::u8, 9, 8);
    EXPECT_THROW((void)labeller.label(mask, &grey, {}, {}), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)labeller.label(mask, nullptr, {}, JobControl(stop.get_token())), Cancelled);
    EXPECT_EQ(labeller.label(mask, nullptr, {}, {}).count, 1U);
}

TEST_F(ObjectsThat, FindNoMemoryFailAndNextTimeAreFound) {
    cuda::DeviceLabeller labeller;
    const Mask mask(300, 200, true);
    for (int allocation = 1; allocation < 12; ++allocation) {
        {
            const cuda::FaultInjection faults({.failAllocation = allocation});
            try {
                (void)labeller.label(mask, nullptr, {}, {});
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::outOfMemory) << error.what();
            }
        }
        EXPECT_EQ(labeller.label(mask, nullptr, {}, {}).count, 1U);
    }
}

TEST_F(ObjectsThat, FailInAVolumeAreFoundTheNextTime) {
    cuda::DeviceLabeller labeller;
    const Extent extent{90, 45, 12}; // with padding
    const Mask mask(90, 540, true);
    const auto grey = makeVolume(PixelType::u16, extent, [](auto x, auto, auto z) { return x + z; });
    const ComponentsSpec spec{.connectivity = Connectivity::twentySix, .algorithm = {}, .slices = extent.slices};
    const Components expected = labelComponents(mask, grey.get(), spec);
    for (int number = 1; number < 40; ++number) {
        for (const bool isAllocation : {true, false}) {
            cuda::FaultPlan plan;
            (isAllocation ? plan.failAllocation : plan.failOperation) = number;
            {
                const cuda::FaultInjection faults(plan);
                try {
                    (void)labeller.label(mask, grey.get(), spec, {});
                } catch (const Error& error) {
                    EXPECT_TRUE(faults.failureOccurred()) << error.what();
                }
            }
            ASSERT_TRUE(labeller.label(mask, grey.get(), spec, {}).objects == expected.objects) << number;
        }
    }
}

} // namespace
} // namespace pollard::testing

#include "analysis/watershed.hpp"

#include "base/error.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/watershed/device_watershed.hpp"
#include "image/distance_transform.hpp"
#include "on_gpu.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"
#include "support/random_seeds.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// Distance transforms and watersheds on the GPU against the CPU's.

namespace pollard::testing {
namespace {

class DistancesOnDevice : public OnGpu {
protected:
    void compare(const Mask& mask, std::uint32_t slices) {
        const Buffer<std::uint32_t> expected = squaredDistances(mask, slices);
        const Buffer<std::uint32_t> found = device_.squaredDistances(mask, slices, {});
        ASSERT_TRUE(std::ranges::equal(found, expected))
            << mask.width() << " x " << mask.height() << " px, " << slices << " slices";
    }
    cuda::DeviceWatershed device_;
};

/// One unset pixel in @p unsetOf.
Mask sparseMask(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t unsetOf) {
    Mask mask(width, height, true);
    for (std::uint64_t n = std::uint64_t{width} * height / unsetOf + 1; n-- != 0;) {
        mask.set(random() % width, random() % height, false);
    }
    return mask;
}

TEST_F(DistancesOnDevice, EqualTheCpusOnAFewMasks) { // few enough for a tool that checks every access
    Random random(40);
    for (const Extent extent : {Extent{300, 200, 1}, Extent{40, 30, 20}, Extent{1, 300, 1}}) {
        compare(sparseMask(random, extent.width, static_cast<std::uint32_t>(extent.rows()), 50), extent.slices);
    }
}

TEST_F(DistancesOnDevice, EqualTheCpusOnSmallMasks) {
    Random random(41);
    for (int i = 0; i != 300 && !HasFatalFailure(); ++i) {
        const std::uint32_t longest = i % 5 == 0 ? 700 : 60;
        const std::uint32_t slices = i % 2 == 0 ? 1 : 1 + random() % 30;
        const std::uint32_t width = 1 + random() % longest;
        const std::uint32_t height = (1 + random() % 60) * slices;
        compare(i % 3 == 0 ? granularMask(random, width, height, 1 + random() % 16, random() % 101)
                           : sparseMask(random, width, height, 1 + random() % 5000),
                slices);
    }
}

TEST_F(DistancesOnDevice, EqualTheCpusOnHardAndLargeMasks) {
    Random random(42);
    for (const Mask& mask : hardMasks(1027, 1300)) {
        compare(mask, 1);
        compare(mask, 13);
    }
    for (const bool value : {false, true}) {
        compare(Mask(3000, 2000, value), 1);
    }
    for (const auto& [width, height] : {std::pair(4096U, 4096U), std::pair(65000U, 100U), std::pair(100U, 65000U)}) {
        Mask corner(width, height, true);
        corner.set(width - 1, 0, false);
        compare(corner, 1);
        compare(sparseMask(random, width, height, 10'000), 1);
    }
    compare(sparseMask(random, 200, 200 * 200, 100'000), 200);
    compare(sparseMask(random, 5, 7 * 5000, 1000), 5000);
    EXPECT_EQ(device_.stages().size(), 5U);
}

TEST_F(DistancesOnDevice, RefuseWhatTheCpuRefuses) {
    EXPECT_THROW((void)device_.squaredDistances(Mask(65536, 1, true), 1, {}), Error);
    EXPECT_THROW((void)device_.squaredDistances(Mask(4, 5, true), 2, {}), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)device_.squaredDistances(Mask(4, 4, true), 1, JobControl(stop.get_token())), Cancelled);
}

class WatershedOnDevice : public OnGpu {
protected:
    void compare(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                 const WatershedSpec& spec) {
        const Buffer<std::uint32_t> expected = watershed(image, seeds, inside, spec);
        const Buffer<std::uint32_t> found = device_.watershed(image, seeds, inside, spec, {});
        ASSERT_TRUE(std::ranges::equal(found, expected))
            << text(image.extent()) << ", " << static_cast<int>(spec.connectivity) << " neighbours, "
            << bitsOf(image.type()) << " bit";
    }
    void compareRandom(Random& random, const Image& image, Connectivity connectivity) {
        const std::vector<std::uint32_t> seeds = randomSeeds(random, image);
        const std::optional<Mask> inside = randomInside(random, image);
        compare(image, seeds, inside ? &*inside : nullptr, {connectivity, random() % 2 == 0, random() % 2 == 0});
    }
    cuda::DeviceWatershed device_;
};

constexpr Connectivity kInVolumes[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};

/// Few seeds, whose labels are not in their order.
std::vector<std::uint32_t> fewSeeds(Random& random, const Image& image, std::uint32_t count) {
    std::vector<std::uint32_t> seeds(image.pixelCount());
    for (std::uint32_t i = 0; i != count; ++i) {
        seeds[(std::uint64_t{random()} << 16U ^ random()) % seeds.size()] = 1 + random() % count;
    }
    return seeds;
}

TEST_F(WatershedOnDevice, EqualsTheCpusInAFewImages) { // few enough for a tool that checks every access
    Random random(50);
    compareRandom(random, *randomImage(random, 150, 90), Connectivity::four);
    compareRandom(random, *randomImage(random, 90, 150), Connectivity::eight);
    for (const Connectivity connectivity : kInVolumes) {
        compareRandom(random, *randomVolume(random, {30, 20, 17}), connectivity);
    }
}

TEST_F(WatershedOnDevice, EqualsTheCpusInSmallImagesAndVolumes) {
    Random random(51);
    for (int i = 0; i != 400 && !HasFatalFailure(); ++i) {
        const std::uint32_t longest = i % 5 == 0 ? 400 : 50;
        compareRandom(random, *randomImage(random, 1 + random() % longest, 1 + random() % longest),
                      i % 2 == 0 ? Connectivity::four : Connectivity::eight);
        compareRandom(random,
                      *randomVolume(random, {1 + random() % 40, 1 + random() % 30, 2 + random() % (longest / 10)}),
                      kInVolumes[i % 3]);
    }
}

TEST_F(WatershedOnDevice, EqualsTheCpusInLargeImagesOfEveryKind) {
    Random random(52);
    using Level = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;
    const std::vector<Level> levels{
        [&](auto, auto) { return random(); },
        [&](auto, auto) { return random() % 3; },
        [](auto, auto) { return 7; },
        [](auto x, auto y) { return x * 20 + y; },
        [](auto x, auto y) { return y % 2 == 0 ? 1 : (x == (y % 4 == 1 ? 899U : 0U) ? 1 : 9); }, // a serpentine
        [](auto x, auto y) { return (x / 37 + y / 29) % 5; },
    };
    for (const Level& level : levels) {
        for (const PixelType type : {PixelType::u8, PixelType::u16}) {
            const auto image = makeImage(type, 900, 700, level);
            for (const std::uint32_t count : {1U, 40U, 5000U}) {
                compare(*image, fewSeeds(random, *image, count), nullptr,
                        {count == 40 ? Connectivity::eight : Connectivity::four, count == 1, count == 40});
            }
        }
    }
    for (const Connectivity connectivity : kInVolumes) {
        const auto volume = makeVolume(PixelType::u16, {120, 100, 80}, [&](auto x, auto y, auto z) {
            return (x / 9 + y / 7 + z / 5) % 4 * 9000 + random() % 5;
        });
        compare(*volume, fewSeeds(random, *volume, 60), nullptr, {connectivity, false, true});
    }
}

TEST_F(WatershedOnDevice, LeavesTooManyRoundsToTheCpu) {
    const auto image = makeImage(PixelType::u16, 70'000, 1, [](auto, auto) { return 9; });
    std::vector<std::uint32_t> seeds(70'000);
    seeds.front() = 1;
    try {
        (void)device_.watershed(*image, seeds, nullptr, {}, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable); // another engine may take over
    }
    seeds.back() = 2;
    compare(*image, seeds, nullptr, {});
}

TEST_F(WatershedOnDevice, RefusesWhatTheCpuRefuses) {
    const auto image = makeImage(PixelType::u8, 4, 3, [](auto, auto) { return 0; });
    std::vector<std::uint32_t> seeds(12, 1);
    EXPECT_THROW((void)device_.watershed(*image, std::span(seeds).first(11), nullptr, {}, {}), Error);
    seeds[3] = kMostSeeds + 1;
    EXPECT_THROW((void)device_.watershed(*image, seeds, nullptr, {}, {}), Error);
    seeds[3] = 0;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)device_.watershed(*image, seeds, nullptr, {}, JobControl(stop.get_token())), Cancelled);
    compare(*image, seeds, nullptr, {});
}

TEST_F(WatershedOnDevice, FailsAndWorksTheNextTime) {
    const auto image = makeImage(PixelType::u16, 90, 45, [](auto x, auto y) { return x * y % 11; });
    std::vector<std::uint32_t> seeds(image->pixelCount());
    seeds[77] = 1;
    seeds[3000] = 2;
    const Mask inside(90, 45, true);
    for (int number = 1; number < 30; ++number) {
        for (const bool isAllocation : {true, false}) {
            cuda::FaultPlan plan;
            (isAllocation ? plan.failAllocation : plan.failOperation) = number;
            {
                const cuda::FaultInjection faults(plan);
                try {
                    (void)device_.watershed(*image, seeds, &inside, {}, {});
                    (void)device_.squaredDistances(inside, 1, {});
                } catch (const Error& error) {
                    EXPECT_TRUE(faults.failureOccurred()) << error.what();
                }
            }
            ASSERT_NO_FATAL_FAILURE(compare(*image, seeds, &inside, {}));
        }
    }
}

TEST_F(WatershedOnDevice, IsThatOfTheEngine) {
    const std::unique_ptr<Engine> engine = makeCudaEngine();
    Random random(53);
    const auto image = randomImage(random, 60, 50);
    const std::vector<std::uint32_t> seeds = randomSeeds(random, *image);
    EXPECT_TRUE(
        std::ranges::equal(engine->watershed(*image, seeds, nullptr, {}), watershed(*image, seeds, nullptr, {})));
    const Mask mask = sparseMask(random, 80, 60, 30);
    EXPECT_TRUE(std::ranges::equal(engine->squaredDistances(mask), squaredDistances(mask)));
}

} // namespace
} // namespace pollard::testing

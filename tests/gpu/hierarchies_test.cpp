#include "base/error.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/hierarchy/device_hierarchies.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "on_gpu.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

// Hierarchies made on the GPU against the CPU.

namespace pollard::testing {
namespace {

class HierarchiesOnDevice : public OnGpu {
protected:
    void compare(const Image& image, const Mask* valid, const HierarchySpec& spec) {
        SCOPED_TRACE(::testing::Message() << text(image.extent()) << ", " << bitsOf(image.type()) << " bit, "
                                          << nameOf(spec.strength) << ", " << nameOf(spec.weight) << ", "
                                          << static_cast<int>(spec.connectivity) << (valid != nullptr ? ", mask" : ""));
        const Hierarchy expected = makeHierarchy(image, valid, spec);
        const Hierarchy found = device_.make(image, valid, spec, {});
        ASSERT_EQ(found.basinCount(), expected.basinCount());
        ASSERT_TRUE(std::ranges::equal(found.basins(), expected.basins()));
        ASSERT_EQ(found.strengths(), expected.strengths());
        ASSERT_NE(found.onDevice(), nullptr);
        const auto basins = static_cast<std::uint32_t>(found.basinCount());
        for (std::uint32_t i = 0; i < 200; ++i) {
            const std::uint32_t a = random_() % basins;
            const std::uint32_t b = random_() % basins;
            ASSERT_EQ(found.between(a, b), expected.between(a, b)) << a << ' ' << b;
        }
        for (const std::size_t count : {std::size_t{1}, std::size_t{2}, basins / 3 + std::size_t{1}}) {
            const std::uint64_t strength = expected.strengthFor(count);
            ASSERT_EQ(found.strengthFor(count), strength);
            ASSERT_EQ(found.regionsAt(strength), expected.regionsAt(strength));
            const auto labels = found.onDevice()->at(strength, valid, {});
            const LabelImage wanted = regions(expected, strength, valid);
            ASSERT_TRUE(labels.has_value());
            ASSERT_EQ(labels->count, wanted.count);
            ASSERT_TRUE(std::ranges::equal(labels->labels, wanted.labels));
        }
    }
    void compareAll(const Image& image, const Mask* valid) {
        for (const Strength strength : {Strength::altitude, Strength::dynamics, Strength::area, Strength::volume}) {
            for (const EdgeWeight weight : {EdgeWeight::difference, EdgeWeight::maximum}) {
                compare(image, valid, {strength, weight, drawConnectivity(image.extent())});
            }
        }
    }
    [[nodiscard]] Connectivity drawConnectivity(const Extent& extent) {
        constexpr Connectivity kDeep[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
        constexpr Connectivity kFlat[] = {Connectivity::four, Connectivity::eight};
        return extent.isVolume() ? kDeep[random_() % 3] : kFlat[random_() % 2];
    }
    /// A mask without some rectangles and pixels.
    [[nodiscard]] Mask drawMask(const Extent& extent) {
        const auto rows = static_cast<std::uint32_t>(extent.rows());
        Mask valid(extent.width, rows, true);
        for (std::uint32_t n = 0; n < 4; ++n) {
            const std::uint32_t left = random_() % extent.width;
            const std::uint32_t top = random_() % rows;
            for (std::uint32_t y = top; y < std::min(rows, top + random_() % 20); ++y) {
                valid.setRun(left, std::min(extent.width, left + 1 + random_() % 20), y, false);
            }
        }
        for (std::uint32_t n = 0; n < extent.pixelCount() / 50; ++n) {
            valid.set(random_() % extent.width, random_() % rows, false);
        }
        return valid;
    }

    Random random_{51};
    cuda::DeviceHierarchies device_;
};

TEST_F(HierarchiesOnDevice, EqualTheCpusOnAFewImages) { // few enough for a tool that checks every access
    for (int repeat = 0; repeat < 3 && !HasFailure(); ++repeat) {
        const auto image = randomImage(random_, 1 + random_() % 90, 1 + random_() % 70);
        const Mask valid = drawMask(image->extent());
        compareAll(*image, repeat == 0 ? &valid : nullptr);
    }
}

TEST_F(HierarchiesOnDevice, EqualTheCpusOnImagesAndVolumes) {
    for (int repeat = 0; repeat < 60 && !HasFailure(); ++repeat) {
        const auto image = repeat % 3 == 0
                               ? randomVolume(random_, {1 + random_() % 40, 1 + random_() % 30, 1 + random_() % 20})
                               : randomImage(random_, 1 + random_() % 400, 1 + random_() % 300);
        const Mask valid = drawMask(image->extent());
        compareAll(*image, repeat % 4 == 0 ? &valid : nullptr);
    }
}

TEST_F(HierarchiesOnDevice, EqualTheCpusOnHardImages) {
    constexpr std::uint32_t kSide = 700;
    const auto constant = makeImage(PixelType::u8, kSide, kSide, [](auto, auto) { return 7; });
    const auto falling = makeImage(PixelType::u16, kSide, kSide,
                                   [](auto x, auto y) { return 65535 - 40 * x - static_cast<std::uint32_t>(y % 40); });
    const auto snake = makeImage(PixelType::u16, kSide, kSide, [](auto x, auto y) {
        const bool isWall = y % 2 == 1 && x != (y % 4 == 1 ? kSide - 1 : 0);
        return isWall ? 65535 : (y * kSide + x) % 65000;
    });
    const auto steps = makeImage(PixelType::u16, kSide, kSide, [](auto x, auto y) { return (x / 50 + y / 70) * 9; });
    const auto line = makeImage(PixelType::u16, 100000, 1, [&](auto, auto) { return random_() % 60000; });
    for (const auto& image : {constant, falling, snake, steps, line}) {
        compareAll(*image, nullptr);
        ASSERT_FALSE(HasFailure());
    }
}

TEST_F(HierarchiesOnDevice, CanBeStoppedAndRefusesOtherNeighbours) {
    const auto image = randomImage(random_, 300, 300);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)device_.make(*image, nullptr, {}, JobControl(stop.get_token())), Cancelled);
    const auto volume = randomVolume(random_, {5, 4, 3});
    EXPECT_THROW((void)device_.make(*volume, nullptr, {Strength::area, EdgeWeight::difference, Connectivity::four}, {}),
                 Error);
    compare(*image, nullptr, {});
}

TEST_F(HierarchiesOnDevice, SurviveFaults) {
    const auto image = randomImage(random_, 200, 150);
    for (const bool areAllocations : {true, false}) {
        for (std::int64_t number = 1; number < 200; number += 1 + number / 8) {
            cuda::FaultPlan plan;
            (areAllocations ? plan.failAllocation : plan.failOperation) = number;
            const cuda::FaultInjection injected(plan);
            try {
                const Hierarchy found = device_.make(*image, nullptr, {}, {});
                EXPECT_EQ(regions(found, 5).labels.size(), image->pixelCount()); // on the host if the device fails
            } catch (const Error& error) {
                EXPECT_TRUE(injected.failureOccurred());
                EXPECT_TRUE(error.code() == ErrorCode::outOfMemory || error.code() == ErrorCode::deviceFailed);
            }
        }
    }
    compare(*image, nullptr, {});
}

TEST_F(HierarchiesOnDevice, LeaveOtherMasksToTheHost) {
    const auto image = randomImage(random_, 90, 80);
    const Mask valid = drawMask(image->extent());
    const Mask other = drawMask(image->extent());
    const Hierarchy found = device_.make(*image, &valid, {}, {});
    EXPECT_FALSE(found.onDevice()->at(0, &other, {}).has_value());
    EXPECT_FALSE(found.onDevice()->at(0, nullptr, {}).has_value());
    EXPECT_TRUE(found.onDevice()->at(0, &valid, {}).has_value());
}

} // namespace
} // namespace pollard::testing

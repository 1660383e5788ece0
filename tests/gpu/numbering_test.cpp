// Numbering, node tables and area on the device equal the CPU engine's.

#include "device_trees.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

namespace pollard::testing {
namespace {

class NumberingOnDevice : public TreesOnDevice {
protected:
    void expectAsCpu(const std::shared_ptr<const Image>& image) {
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        const TreeOnDevice numbered = number(*image, tree);
        EXPECT_LE(memory_->peakBytes() - before,
                  cuda::estimateNumberingBytes(image->width(), image->height()) + image->bytes() + 512);
        ASSERT_NO_FATAL_FAILURE(expectEqual(download(numbered), tree));
        EXPECT_EQ(numbered.tree.nodeCount, tree.nodeCount());
        EXPECT_EQ(numbered.tree.rootLevel, tree.level[0]);
    }
};

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnRandomImages) {
    Random random(41);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const std::uint32_t width = 1 + random() % 150;
        const std::uint32_t height = 1 + random() % 100;
        SCOPED_TRACE(::testing::Message() << "repeat " << repeat << ", " << width << " x " << height);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, width, height)));
    }
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnEverySmallSizeAndOnLines) {
    Random random(42);
    for (std::uint32_t height = 1; height <= 9; ++height) {
        for (std::uint32_t width = 1; width <= 9; ++width) {
            SCOPED_TRACE(::testing::Message() << width << " x " << height);
            ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, width, height)));
        }
    }
    for (const std::uint32_t length : {31U, 32U, 33U, 255U, 256U, 257U, 1025U, 70'001U}) {
        SCOPED_TRACE(length);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, length, 1)));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, 1, length)));
    }
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnPatterns) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const std::uint32_t top = maxLevelOf(type);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeImage(type, 513, 301, [&](auto, auto) { return top; })));
        ASSERT_NO_FATAL_FAILURE(
            expectAsCpu(makeImage(type, 513, 301, [&](auto x, auto y) { return (x + y) % 2 * top; })));
        ASSERT_NO_FATAL_FAILURE(
            expectAsCpu(makeImage(type, 513, 301, [&](auto x, auto y) { return (x / 8 * 37 + y / 8 * 11) % top; })));
        ASSERT_NO_FATAL_FAILURE(
            expectAsCpu(makeImage(type, 513, 301, [&](auto x, auto y) { return (x * y) % (top + 1); })));
    }
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnASerpentineOfAllLevels) {
    expectAsCpu(
        makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + (y % 2 == 0 ? x : 255 - x); }));
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnALargeRampOfAllLevels) {
    expectAsCpu(makeImage(PixelType::u16, 4096, 4096, [](auto x, auto y) { return (y * 4096 + x) / 256; }));
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnLargeNoise) {
    Random random(43);
    const auto image = makeImage(PixelType::u16, 4096, 4096, [&](auto, auto) { return random() % 65536; });
    expectAsCpu(image);
}

TEST_P(NumberingOnDevice, EqualsTheCpuEngineOnLargeNoiseOnASlopeOfEightBits) {
    Random random(44);
    expectAsCpu(makeImage(PixelType::u8, 3001, 2003, [&](auto x, auto y) { return (x + y) / 24 + random() % 40; }));
}

TEST_P(NumberingOnDevice, GivesTheSameEveryTime) {
    Random random(45);
    const auto image =
        makeImage(PixelType::u16, 700, 500, [&](auto x, auto y) { return x * 37 % 4096 + y + random() % 64; });
    const auto session = build(image);
    for (int repeat = 0; repeat < 10; ++repeat) {
        ASSERT_NO_FATAL_FAILURE(expectEqual(download(number(*image, *session->tree())), *session->tree()));
    }
}

TEST_P(NumberingOnDevice, FilesItsTimeAsStages) {
    const auto image = makeImage(PixelType::u8, 64, 64, [](auto x, auto y) { return x ^ y; });
    const TreeOnDevice tree = number(*image, *build(image)->tree());
    const std::vector<StageTime> stages = clock_->take();
    ASSERT_EQ(stages.size(), 1U);
    EXPECT_EQ(stages[0].name, "numbering");
}

TEST_P(NumberingOnDevice, GivesEverythingBackWhenCancelledOrOutOfMemory) {
    const auto image = makeImage(PixelType::u8, 300, 300, [](auto x, auto y) { return (x * y) % 251; });
    const auto session = build(image);
    std::stop_source stop;
    stop.request_stop();
    const auto pixels = upload(std::span<const std::byte>(image->data(), image->bytes()), memory_);
    const cuda::DeviceImage deviceImage{pixels.data(), image->type(), image->width(), image->height()};
    const Buffer<std::uint32_t> parentImage = canonicalParentImage(*session->tree());
    const std::uint64_t before = memory_->usedBytes();
    EXPECT_THROW((void)cuda::numberNodes(deviceImage, spec(), upload(parentImage.span(), memory_), memory_, *clock_,
                                         JobControl(stop.get_token())),
                 Cancelled);
    EXPECT_EQ(memory_->usedBytes(), before);
    int failures = 0;
    for (;; ++failures) {
        auto parent = upload(parentImage.span(), memory_);
        cuda::FaultPlan plan;
        plan.failAllocation = failures + 1;
        const cuda::FaultInjection injection(plan);
        try {
            (void)cuda::numberNodes(deviceImage, spec(), std::move(parent), memory_, *clock_, JobControl{});
            break;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::outOfMemory) << error.what();
            EXPECT_EQ(memory_->usedBytes(), before);
        }
    }
    EXPECT_GT(failures, 10);
    EXPECT_EQ(memory_->usedBytes(), before);
}

POLLARD_FOR_BOTH_KINDS(NumberingOnDevice);

TEST(NumberingEstimate, GrowsWithTheImageAndStaysBelowFortyBytesAPixel) {
    std::uint64_t before = 0;
    for (const std::uint32_t side : {1U, 100U, 1000U, 4096U, 10'000U, 30'000U, 60'000U}) {
        const std::uint64_t bytes = cuda::estimateNumberingBytes(side, side);
        EXPECT_GT(bytes, before);
        EXPECT_LT(bytes, 40 * std::uint64_t{side} * side + (std::uint64_t{20} << 20));
        before = bytes;
    }
}

} // namespace
} // namespace pollard::testing

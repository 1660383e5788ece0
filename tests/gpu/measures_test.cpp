// Attributes measured on the device equal the CPU engine's: all but the angle to the last bit.

#include "device_trees.hpp"

#include "cuda/nodes/cuda_measures.hpp"
#include "cuda/nodes/measure_facts.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace pollard::testing {
namespace {

class MeasuresOnDevice : public TreesOnDevice {
protected:
    void expectAsCpu(const std::shared_ptr<const Image>& image) {
        const auto session = build(image);
        const TreeOnDevice tree = number(*image, *session->tree());
        const Extent extent = image->extent();
        cuda::CudaMeasures measures(cuda::planOf(tree.tree, spec(), tree.image), memory_,
                                    {extent.slices, image->sides()});
        for (const AttributeInfo& info : extent.isVolume() ? volumeAttributes() : allAttributes()) {
            if (!cuda::canMeasure(info.id, extent, spec().connectivity)) {
                ASSERT_EQ(info.id, AttributeId::euler);
                continue;
            }
            SCOPED_TRACE(info.name);
            const cuda::DeviceColumn column = measures.measure(info.id, *clock_);
            const auto expected = session->attribute(info.id);
            ASSERT_EQ(column.values.index(), expected->values.index());
            std::visit(
                [&]<class T>(const cuda::DeviceBuffer<T>& device) {
                    const Buffer<T> values = download(device);
                    const auto& wanted = std::get<Buffer<T>>(expected->values);
                    ASSERT_TRUE(equal("attribute", values, wanted));
                    const bool exact = std::equal(values.begin(), values.end(), wanted.begin(), sameValue<T>);
                    ASSERT_TRUE(exact || info.id == AttributeId::orientation);
                },
                column.values);
        }
    }
};

TEST_P(MeasuresOnDevice, EqualTheCpuEngineOnRandomImages) {
    Random random(71);
    for (int repeat = 0; repeat < 60; ++repeat) {
        SCOPED_TRACE(repeat);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, 1 + random() % 150, 1 + random() % 120)));
    }
}

TEST_P(MeasuresOnDevice, EqualTheCpuEngineOnLines) {
    Random random(72);
    for (const auto& [width, height] :
         {std::pair{1U, 1U}, {1U, 2U}, {60'000U, 1U}, {1U, 60'000U}, {45'000U, 3U}, {2U, 2U}}) {
        SCOPED_TRACE(::testing::Message() << width << " x " << height);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomImage(random, width, height)));
    }
}

TEST_P(MeasuresOnDevice, EqualTheCpuEngineOnLargeImages) {
    Random random(73);
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeImage(PixelType::u16, 1500, 1100, [&](auto, auto) { return random() % 65536; })));
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeImage(PixelType::u16, 1024, 1024, [](auto x, auto y) { return (y * 1024 + x) / 16; })));
    // A background with everything in it, and spots that share few levels.
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(
        makeImage(PixelType::u8, 1300, 900, [&](auto, auto) { return random() % 20 == 0 ? random() % 4 : 1; })));
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(makeImage(PixelType::u8, 1300, 900, [](auto, auto) { return 9; })));
}

TEST_P(MeasuresOnDevice, StaysWithinItsEstimatesAndFilesItsTime) {
    Random random(74);
    const auto image = makeImage(PixelType::u16, 700, 500, [&](auto, auto) { return random() % 65536; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    const std::uint64_t before = memory_->usedBytes();
    for (const AttributeInfo& info : allAttributes()) {
        cuda::CudaMeasures measures(cuda::planOf(tree.tree, spec(), tree.image), memory_);
        memory_->resetPeak();
        (void)clock_->take();
        { const cuda::DeviceColumn column = measures.measure(info.id, *clock_); }
        EXPECT_LE(memory_->peakBytes() - before,
                  cuda::estimateMeasureBytes(info.id, tree.tree.nodeCount, image->extent()))
            << info.name;
        const auto stages = clock_->take();
        ASSERT_EQ(stages.size(), 1U);
        EXPECT_EQ(stages[0].name, cuda::stageOf(info.id));
    }
    EXPECT_EQ(memory_->usedBytes(), before);
    cuda::NodePlan large = cuda::planOf(tree.tree, spec(), tree.image);
    large.width = 0x8000'0000U;
    cuda::CudaMeasures measures(large, memory_);
    EXPECT_THROW((void)measures.measure(AttributeId::entropy, *clock_), Error);
}

POLLARD_FOR_BOTH_KINDS(MeasuresOnDevice);

class VolumeMeasuresOnDevice : public MeasuresOnDevice {};

TEST_P(VolumeMeasuresOnDevice, EqualTheCpuEngineOnAFewVolumes) { // few enough for a tool that checks every access
    Random random(78);
    for (int repeat = 0; repeat < 3; ++repeat) {
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomVolume(random, {40 + random() % 30, 35, 2 + random() % 5})));
    }
}

TEST_P(VolumeMeasuresOnDevice, EqualTheCpuEngineOnRandomVolumes) {
    Random random(75);
    for (int repeat = 0; repeat < 60; ++repeat) {
        SCOPED_TRACE(repeat);
        const auto volume = randomVolume(random, {1 + random() % 70, 1 + random() % 60, 2 + random() % 40});
        volume->setSides({1, 0.25 * (1 + random() % 9), 0.3 * (1 + random() % 9)});
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(volume));
    }
}

TEST_P(VolumeMeasuresOnDevice, EqualTheCpuEngineOnLinesAndLargeVolumes) {
    Random random(76);
    for (const Extent extent : {Extent{1, 1, 2}, Extent{1, 1, 60'000}, Extent{60'000, 1, 2}, Extent{1, 60'000, 2},
                                Extent{2, 2, 2}, Extent{300, 200, 3}}) {
        SCOPED_TRACE(text(extent));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(randomVolume(random, extent)));
    }
    const Extent large{150, 140, 70};
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeVolume(PixelType::u16, large, [&](auto, auto, auto) { return random() % 65536; })));
    ASSERT_NO_FATAL_FAILURE(
        expectAsCpu(makeVolume(PixelType::u16, large, [](auto x, auto y, auto z) { return (x * x + y * z) % 3000; })));
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(
        makeVolume(PixelType::u8, large, [&](auto, auto, auto) { return random() % 20 == 0 ? random() % 4 : 1; })));
}

TEST_P(VolumeMeasuresOnDevice, StaysWithinItsEstimatesAndFilesItsTime) {
    Random random(77);
    for (const Extent extent : {Extent{100, 90, 40}, Extent{300, 200, 2}}) {
        const auto volume = makeVolume(PixelType::u16, extent, [&](auto, auto, auto) { return random() % 65536; });
        const auto session = build(volume);
        const TreeOnDevice tree = number(*volume, *session->tree());
        const std::uint64_t before = memory_->usedBytes();
        for (const AttributeInfo& info : volumeAttributes()) {
            if (!cuda::canMeasure(info.id, extent, spec().connectivity)) {
                continue;
            }
            cuda::CudaMeasures measures(cuda::planOf(tree.tree, spec(), tree.image), memory_, {extent.slices, {}});
            memory_->resetPeak();
            (void)clock_->take();
            { const cuda::DeviceColumn column = measures.measure(info.id, *clock_); }
            EXPECT_LE(memory_->peakBytes() - before, cuda::estimateMeasureBytes(info.id, tree.tree.nodeCount, extent))
                << info.name;
            const auto stages = clock_->take();
            ASSERT_EQ(stages.size(), 1U);
            EXPECT_EQ(stages[0].name, cuda::stageOf(info.id, true));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, VolumeMeasuresOnDevice,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)));

} // namespace
} // namespace pollard::testing

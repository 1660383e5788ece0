#include "components/objects/object_stream.hpp"

#include "components/threshold.hpp"
#include "cuda/components/device_labeller.hpp"
#include "cuda/cuda_engine.hpp"
#include "on_gpu.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>

// Compares streams of images on the GPU with the CPU: thresholds, labels and records.

namespace pollard::testing {
namespace {

class ObjectStreamOnDevice : public OnGpu, public ::testing::WithParamInterface<const char*> {
protected:
    void compareAll(int inFlight, bool labels, std::uint32_t width, std::uint32_t height, int frames) {
        ComponentsSpec spec;
        spec.algorithm = GetParam();
        spec.labels = labels;
        const auto stream = engine_->streamObjects(spec, inFlight);
        spec.algorithm.clear();
        Random random(width);
        std::deque<StreamFrame> underWay;
        const auto takeOne = [&] {
            const Components found = stream->pop().components;
            const StreamFrame& frame = underWay.front();
            const Components expected = labelComponents(
                thresholdMask(*frame.image, frame.low, frame.high, frame.valid.get()), frame.image.get(), spec);
            EXPECT_EQ(found.count, expected.count);
            EXPECT_EQ(found.foreground, expected.foreground);
            EXPECT_TRUE(std::ranges::equal(found.labels, expected.labels));
            EXPECT_TRUE(found.objects == expected.objects);
            underWay.pop_front();
        };
        for (int i = 0; i < frames; ++i) {
            if (stream->underWay() == stream->capacity()) {
                takeOne();
            }
            const PixelType type = i % 3 == 0 ? PixelType::u16 : PixelType::u8;
            const auto image = makeImage(type, width, height, [&](auto, auto) { return random(); });
            const auto low = static_cast<std::uint16_t>(random() % (std::uint32_t{maxLevelOf(type)} + 1));
            underWay.push_back({image, nullptr, low, i % 2 == 0 ? std::uint16_t{0xffff} : maxLevelOf(type)});
            if (i % 5 == 4) {
                underWay.back().valid = std::make_shared<const Mask>(granularMask(random, width, height, 4, 70));
            }
            stream->push(underWay.back());
        }
        while (!underWay.empty()) {
            takeOne();
        }
    }

    std::unique_ptr<Engine> engine_ = makeCudaEngine();
};

TEST_P(ObjectStreamOnDevice, GivesTheObjectsOfTheCpu) {
    for (const int inFlight : {1, 2, 3}) {
        compareAll(inFlight, true, 301, 203, 12);
        compareAll(inFlight, false, 64, 50, 12);
        compareAll(inFlight, true, 1, 700, 4);
    }
}

TEST_P(ObjectStreamOnDevice, GivesTheObjectsOfLargeImages) { compareAll(3, true, 2049, 1777, 7); }

INSTANTIATE_TEST_SUITE_P(Algorithms, ObjectStreamOnDevice, ::testing::Values("strips", "ha4-32", "ha4-64", "tmk"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

class ObjectStreamThat : public OnGpu {};

TEST_F(ObjectStreamThat, FindsNoMemoryTellsItAndGoesOn) {
    const auto image = makeImage(PixelType::u8, 300, 200, [](auto, auto) { return 200; });
    for (int allocation = 1; allocation < 12; ++allocation) {
        const auto stream = makeCudaEngine()->streamObjects({}, 1);
        {
            const cuda::FaultInjection faults({.failAllocation = allocation});
            stream->push({image, nullptr, 100});
            try {
                (void)stream->pop();
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::outOfMemory) << error.what();
            }
        }
        stream->push({image, nullptr, 100});
        EXPECT_EQ(stream->pop().components.count, 1U);
    }
}

TEST_F(ObjectStreamThat, NobodyWaitsForEnds) {
    const auto stream = makeCudaEngine()->streamObjects({}, 3);
    const auto image = makeImage(PixelType::u8, 2000, 2000, [](auto x, auto) { return x; });
    for (int i = 0; i < 3; ++i) {
        stream->push({image, nullptr, 100});
    }
}

} // namespace
} // namespace pollard::testing

#include "components/objects/object_stream.hpp"

#include "base/error.hpp"
#include "components/threshold.hpp"
#include "cpu/cpu_engine.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::Random;

std::shared_ptr<const Image> noise(std::uint32_t seed, std::uint32_t width, std::uint32_t height, PixelType type) {
    Random random(seed);
    return makeImage(type, width, height, [&](auto, auto) { return random(); });
}

Components expectedOf(const StreamFrame& frame, const ComponentsSpec& spec) {
    return labelComponents(thresholdMask(*frame.image, frame.low, frame.high, frame.valid.get()), frame.image.get(),
                           spec);
}

void expectEqual(const Components& found, const Components& expected) {
    EXPECT_EQ(found.count, expected.count);
    EXPECT_EQ(found.foreground, expected.foreground);
    EXPECT_EQ(found.width, expected.width);
    EXPECT_EQ(found.connectivity, expected.connectivity);
    EXPECT_TRUE(std::ranges::equal(found.labels, expected.labels));
    EXPECT_TRUE(found.objects == expected.objects);
}

TEST(ObjectStream, GivesEveryFramesObjectsInTheirOrder) {
    const auto engine = makeCpuEngine();
    for (const int inFlight : {1, 2, 3, 5}) {
        ComponentsSpec spec;
        spec.connectivity = inFlight % 2 == 0 ? Connectivity::eight : Connectivity::four;
        spec.labels = inFlight != 3;
        const auto stream = engine->streamObjects(spec, inFlight, {.threads = 4});
        EXPECT_LE(stream->capacity(), static_cast<std::size_t>(inFlight));
        std::deque<StreamFrame> underWay;
        const auto takeOne = [&] {
            const StreamedObjects found = stream->pop();
            expectEqual(found.components, expectedOf(underWay.front(), spec));
            EXPECT_GE(found.milliseconds, 0);
            underWay.pop_front();
        };
        for (std::uint32_t i = 0; i < 12; ++i) {
            if (stream->underWay() == stream->capacity()) {
                takeOne();
            }
            const PixelType type = i % 2 == 0 ? PixelType::u8 : PixelType::u16;
            const auto low = static_cast<std::uint16_t>(type == PixelType::u8 ? 20 * i : 5000 * i);
            underWay.push_back({noise(i, 30 + 7 * i, 11 + 3 * i, type), nullptr, low,
                                i % 3 == 0 ? std::uint16_t{0xffff} : static_cast<std::uint16_t>(low + 90)});
            if (i % 4 == 1) {
                auto valid = std::make_shared<Mask>(30 + 7 * i, 11 + 3 * i, true);
                valid->setRun(3, 20, 5, false);
                underWay.back().valid = valid;
            }
            stream->push(underWay.back());
            EXPECT_EQ(stream->underWay(), underWay.size());
        }
        while (!underWay.empty()) {
            takeOne();
        }
        EXPECT_EQ(stream->underWay(), 0U);
    }
}

TEST(ObjectStream, TakesNoMoreFramesThanThreads) {
    EXPECT_EQ(makeCpuEngine()->streamObjects({}, 3, {.threads = 1})->capacity(), 1U);
    EXPECT_EQ(makeCpuEngine()->streamObjects({}, 3, {.threads = 8})->capacity(), 3U);
    EXPECT_EQ(makeCpuEngine()->streamObjects({}, 0, {.threads = 8})->capacity(), 1U);
}

/// Waits for a stop, or until all workers are running.
class MeetingWorker final : public FrameWorker {
public:
    MeetingWorker(std::atomic<int>& present, int wanted) : present_(present), wanted_(wanted) {}

    [[nodiscard]] Components find(const StreamFrame&, const JobControl& control) override {
        ++present_;
        while (present_ < wanted_) {
            control.throwIfStopped();
            std::this_thread::yield();
        }
        Components found;
        found.count = 7;
        return found;
    }

private:
    std::atomic<int>& present_;
    int wanted_;
};

std::unique_ptr<ObjectStream> meetings(std::atomic<int>& present, int workers, int wanted) {
    std::vector<std::unique_ptr<FrameWorker>> all;
    for (int i = 0; i < workers; ++i) {
        all.push_back(std::make_unique<MeetingWorker>(present, wanted));
    }
    return std::make_unique<ObjectStream>(std::move(all));
}

TEST(ObjectStream, WorksOnSeveralFramesAtATime) {
    std::atomic<int> present = 0;
    const auto stream = meetings(present, 3, 3);
    const StreamFrame frame{noise(1, 4, 4, PixelType::u8), nullptr};
    for (int i = 0; i < 3; ++i) {
        stream->push(frame);
    }
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(stream->pop().components.count, 7U); // serial work would never finish
    }
}

TEST(ObjectStream, EndsWhenItIsCancelledOrForgotten) {
    std::atomic<int> present = 0;
    const StreamFrame frame{noise(1, 4, 4, PixelType::u8), nullptr};
    {
        const auto stream = meetings(present, 2, 100);
        stream->push(frame);
        stream->push(frame);
        std::stop_source stop;
        stop.request_stop();
        EXPECT_THROW((void)stream->pop(JobControl(stop.get_token())), Cancelled);
        EXPECT_THROW((void)stream->pop(), Cancelled);
        EXPECT_EQ(stream->underWay(), 0U);
    }
    const auto stream = meetings(present, 2, 100);
    stream->push(frame);
}

TEST(ObjectStream, TellsTheErrorOfAFrameAndGoesOn) {
    const auto engine = makeCpuEngine();
    const auto stream = engine->streamObjects({}, 2, {.threads = 2});
    const auto image = noise(3, 20, 10, PixelType::u8);
    const StreamFrame good{image, nullptr, 128};
    stream->push({image, std::make_shared<const Mask>(5, 5, true), 128}); // mask of another size
    stream->push(good);
    EXPECT_THROW((void)stream->pop(), Error);
    expectEqual(stream->pop().components, expectedOf(good, {}));
    stream->push(good);
    expectEqual(stream->pop().components, expectedOf(good, {}));
}

TEST(ObjectStream, RefusesWhatMakesNoSense) {
    EXPECT_THROW(ObjectStream({}), Error);
    const auto stream = makeCpuEngine()->streamObjects({}, 1);
    EXPECT_THROW((void)stream->pop(), Error);
    EXPECT_THROW(stream->push({}), Error);
    const StreamFrame frame{noise(1, 4, 4, PixelType::u8), nullptr};
    stream->push(frame);
    EXPECT_THROW(stream->push(frame), Error);
}

} // namespace
} // namespace pollard

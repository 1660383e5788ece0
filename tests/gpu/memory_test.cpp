// Owners of GPU resources.

#include "on_gpu.hpp"

#include "cuda/device/cuda_error.hpp"
#include "cuda/device/cuda_stream.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/device/staging.hpp"

#include <cstdint>
#include <cstring>
#include <numeric>
#include <stop_token>
#include <type_traits>
#include <vector>

namespace pollard::testing {
namespace {

using namespace cuda;

template <class T> constexpr bool kIsMoveOnly =
    std::is_nothrow_move_constructible_v<T>&& std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> && std::is_nothrow_destructible_v<T>;
static_assert(kIsMoveOnly<Stream>);
static_assert(kIsMoveOnly<Event>);
static_assert(kIsMoveOnly<DeviceBuffer<std::uint32_t>>);
static_assert(kIsMoveOnly<PinnedBuffer<std::uint32_t>>);

TEST(Mebibytes, AreRoundedUp) {
    EXPECT_EQ(mebibytes(0), "0 MiB");
    EXPECT_EQ(mebibytes(1), "1 MiB");
    EXPECT_EQ(mebibytes(std::uint64_t{5} << 20U), "5 MiB");
    EXPECT_EQ(mebibytes((std::uint64_t{5} << 20U) + 1), "6 MiB");
}

TEST(LevelView, ReversesTheOrderForAMinTree) {
    const std::vector<std::uint16_t> pixels{0, 1, 65535, 300};
    const LevelView<std::uint16_t> asIs{pixels.data(), flipOf<std::uint16_t>(TreeKind::max)};
    const LevelView<std::uint16_t> reversed{pixels.data(), flipOf<std::uint16_t>(TreeKind::min)};
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        EXPECT_EQ(asIs[i], pixels[i]);
        EXPECT_EQ(reversed[i], 65535 - pixels[i]);
    }
}

TEST(DeviceBuffer, OfNothingNeedsNoGpu) {
    DeviceBuffer<std::uint32_t> none;
    DeviceBuffer<std::uint32_t> other(std::move(none));
    other.reset();
    EXPECT_EQ(other.size(), 0U);
    EXPECT_EQ(other.data(), nullptr);
    const PinnedBuffer<std::uint32_t> pinned(0, "nothing");
    EXPECT_EQ(pinned.data(), nullptr);
}

class DeviceMemoryOf : public OnGpu {};

TEST_F(DeviceMemoryOf, ASessionCountsWhatIsTakenAndGivenBack) {
    const auto memory = DeviceMemory::create();
    EXPECT_EQ(memory->usedBytes(), 0U);
    {
        const DeviceBuffer<std::uint32_t> first(memory, 1000, "first");
        EXPECT_EQ(memory->usedBytes(), blockBytes<std::uint32_t>(1000));
        {
            const DeviceBuffer<std::byte> second(memory, 1, "second");
            EXPECT_EQ(memory->usedBytes(), blockBytes<std::uint32_t>(1000) + DeviceMemory::kGranularity);
        }
        EXPECT_EQ(memory->usedBytes(), blockBytes<std::uint32_t>(1000));
    }
    EXPECT_EQ(memory->usedBytes(), 0U);
    EXPECT_EQ(memory->peakBytes(), blockBytes<std::uint32_t>(1000) + DeviceMemory::kGranularity);
    memory->resetPeak();
    EXPECT_EQ(memory->peakBytes(), 0U);
}

TEST_F(DeviceMemoryOf, ASessionGivesBackOnceWhenBuffersMove) {
    const auto memory = DeviceMemory::create();
    DeviceBuffer<std::uint32_t> a(memory, 1000, "a");
    DeviceBuffer<std::uint32_t> b(std::move(a));
    EXPECT_EQ(a.data(), nullptr); // NOLINT: a moved-from buffer is empty
    a = DeviceBuffer<std::uint32_t>(memory, 5, "a again");
    a = std::move(b);
    EXPECT_EQ(a.size(), 1000U);
    EXPECT_EQ(memory->usedBytes(), blockBytes<std::uint32_t>(1000));
    a.reset();
    a.reset();
    EXPECT_EQ(memory->usedBytes(), 0U);
}

TEST_F(DeviceMemoryOf, ASessionLivesAsLongAsItsBuffers) {
    DeviceBuffer<std::uint32_t> buffer;
    {
        const auto memory = DeviceMemory::create();
        buffer = DeviceBuffer<std::uint32_t>(memory, 100, "numbers");
    }
    check(cudaMemset(buffer.data(), 0, buffer.bytes()), "write");
}

TEST_F(DeviceMemoryOf, ASessionCountsFreedMemoryAsAvailable) {
    constexpr std::size_t kBytes = std::size_t{256} << 20U;
    const auto memory = DeviceMemory::create();
    const std::uint64_t before = memory->available();
    {
        const DeviceBuffer<std::byte> large(memory, kBytes, "large");
        EXPECT_LE(memory->available() + kBytes / 2, before);
    }
    check(cudaStreamSynchronize(memory->stream()), "wait");
    EXPECT_GE(memory->available() + kBytes / 2, before);
}

TEST_F(DeviceMemoryOf, ASessionHandsOutAgainWhatWasGivenBack) {
    const auto memory = DeviceMemory::create();
    const std::byte* first = nullptr;
    {
        const DeviceBuffer<std::byte> given(memory, 5000, "given back");
        first = given.data();
    }
    EXPECT_EQ(memory->usedBytes(), 0U);
    const DeviceBuffer<std::byte> again(memory, 5000, "the same size");
    const DeviceBuffer<std::byte> third(memory, 5000, "the same size, once more");
    EXPECT_EQ(again.data(), first);
    EXPECT_NE(third.data(), first);
    EXPECT_EQ(memory->usedBytes(), 2 * blockBytes<std::byte>(5000));
}

TEST_F(DeviceMemoryOf, ASessionKeepsNothingThatIsNeededElsewhere) {
    const auto memory = DeviceMemory::create();
    const std::uint64_t before = memory->available();
    for (std::size_t kibibytes = 1; kibibytes <= 256; ++kibibytes) { // more sizes than are kept
        const DeviceBuffer<std::byte> passing(memory, kibibytes << 10U, "passing");
    }
    check(cudaStreamSynchronize(memory->stream()), "wait");
    EXPECT_GE(memory->available() + (std::uint64_t{64} << 20U), before);
    EXPECT_TRUE(memory->has(before / 4));
    EXPECT_TRUE(memory->has(1));
    EXPECT_FALSE(memory->has(std::uint64_t{1} << 50U));
    const DeviceBuffer<std::byte> half(memory, before / 4, "a large part");
    EXPECT_EQ(memory->usedBytes(), blockBytes<std::byte>(before / 4));
}

TEST_F(DeviceMemoryOf, ASessionNamesWhatIsMissing) {
    const auto memory = DeviceMemory::create();
    try {
        const DeviceBuffer<std::byte> impossible(memory, std::size_t{1} << 50U, "a very large thing");
        FAIL() << "a petabyte was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("a very large thing"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("1073741824 MiB"), std::string::npos) << error.what();
    }
    const DeviceBuffer<std::byte> possible(memory, 1000, "a small thing");
    check(cudaMemsetAsync(possible.size() == 1000 ? const_cast<std::byte*>(possible.data()) : nullptr, 0, 1000,
                          memory->stream()),
          "write after a refusal");
    check(cudaStreamSynchronize(memory->stream()), "wait after a refusal");
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

class StageClockOf : public OnGpu {};

TEST_F(StageClockOf, AStreamFilesStagesAndSumsThoseOfOneName) {
    const auto memory = DeviceMemory::create();
    DeviceBuffer<std::byte> bytes(memory, std::size_t{64} << 20U, "bytes");
    StageClock clock(memory->stream());
    for (const char* name : {"a", "b", "a"}) {
        check(cudaMemsetAsync(bytes.data(), 1, bytes.bytes(), memory->stream()), "fill");
        clock.finish(name);
    }
    const auto stages = clock.take();
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(stages[0].name, "a");
    EXPECT_EQ(stages[1].name, "b");
    EXPECT_GT(stages[0].milliseconds, 0.0);
    EXPECT_GT(stages[1].milliseconds, 0.0);
    EXPECT_DOUBLE_EQ(totalMilliseconds(stages), stages[0].milliseconds + stages[1].milliseconds);
    clock.finish("c");
    const auto later = clock.take();
    ASSERT_EQ(later.size(), 1U);
    EXPECT_EQ(later[0].name, "c");
}

class EventOf : public OnGpu {};

TEST_F(EventOf, OneStreamHoldsBackAnother) {
    const auto memory = DeviceMemory::create();
    const Stream reader;
    DeviceBuffer<std::uint32_t> value(memory, std::size_t{32} << 20U, "value");
    PinnedBuffer<std::uint32_t> seen(1, "seen");
    Event written;
    EXPECT_TRUE(written.ready());
    for (int round = 0; round < 20; ++round) {
        check(cudaMemsetAsync(value.data(), round, value.bytes(), memory->stream()), "write");
        written.record(memory->stream());
        written.makeWait(reader.get());
        check(cudaMemcpyAsync(seen.data(), value.data() + value.size() - 1, sizeof(std::uint32_t),
                              cudaMemcpyDeviceToHost, reader.get()),
              "read");
        reader.synchronize("read");
        EXPECT_TRUE(written.ready());
        ASSERT_EQ(seen[0], static_cast<std::uint32_t>(round) * 0x01010101U);
        check(cudaStreamSynchronize(memory->stream()), "wait");
    }
}

class WaitFor : public OnGpu {};

TEST_F(WaitFor, EndsQueuedWorkBeforeItGivesUp) {
    const auto memory = DeviceMemory::create();
    DeviceBuffer<std::byte> bytes(memory, std::size_t{256} << 20U, "bytes");
    for (int i = 0; i < 20; ++i) {
        check(cudaMemsetAsync(bytes.data(), i, bytes.bytes(), memory->stream()), "fill");
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(waitFor(*memory, JobControl(stop.get_token()), "fill"), Cancelled);
    EXPECT_EQ(cudaStreamQuery(memory->stream()), cudaSuccess);
}

class StagingOf : public OnGpu {};

TEST_F(StagingOf, EverySizeArrivesAndComesBack) {
    const auto memory = DeviceMemory::create();
    Staging staging(memory);
    // Below, at and beyond one chunk and two, and back to a small one.
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{4097}, std::size_t{4} << 20U,
                                    (std::size_t{4} << 20U) + 1, (std::size_t{13} << 20U) + 77, std::size_t{3}}) {
        std::vector<std::byte> sent(bytes);
        for (std::size_t i = 0; i < bytes; ++i) {
            sent[i] = static_cast<std::byte>((i * 2654435761U) >> 13U);
        }
        DeviceBuffer<std::byte> device(memory, bytes, "bytes");
        std::vector<std::byte> back(bytes);
        staging.upload(device.data(), sent.data(), bytes, {}, "upload");
        staging.download(back.data(), device.data(), bytes, {}, "download");
        ASSERT_EQ(sent, back) << bytes << " bytes";
    }
}

TEST_F(StagingOf, UploadsNeedNotBeWaitedFor) {
    const auto memory = DeviceMemory::create();
    Staging staging(memory);
    std::vector<DeviceBuffer<std::byte>> devices;
    std::vector<std::vector<std::byte>> sent;
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{9} << 20U, std::size_t{5000}}) { // chunks grow
        std::vector<std::byte> own(bytes, static_cast<std::byte>(bytes >> 4U));
        devices.emplace_back(memory, bytes, "bytes");
        staging.queueUpload(devices.back().data(), own.data(), bytes, {}, "upload");
        sent.push_back(own);
        own.assign(bytes, std::byte{0}); // it has been read
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
        std::vector<std::byte> back(sent[i].size());
        staging.download(back.data(), devices[i].data(), back.size(), {}, "download");
        EXPECT_TRUE(sent[i] == back) << i;
    }
}

} // namespace
} // namespace pollard::testing

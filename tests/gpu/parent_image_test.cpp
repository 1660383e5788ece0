#include "cuda/session/parent_image.hpp"

#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"
#include "on_gpu.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <tuple>

namespace pollard::cuda {
namespace {

using Param = std::tuple<std::string, TreeKind, Connectivity, GridSimplification>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    const auto& [algorithm, kind, connectivity, grid] = info.param;
    return algorithm + (kind == TreeKind::max ? "_max" : "_min") + (connectivity == Connectivity::four ? "_4" : "_8") +
           (grid == GridSimplification::on ? "_simplified" : "_full");
}

using pollard::testing::OnGpu;

class ParentImageOnDevice : public OnGpu, public ::testing::WithParamInterface<Param> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (!IsSkipped()) {
            memory_ = DeviceMemory::create();
        }
    }

    [[nodiscard]] static TreeSpec spec() {
        const auto& [algorithm, kind, connectivity, grid] = GetParam();
        return {kind, connectivity, algorithm, grid};
    }

    [[nodiscard]] DeviceBuffer<std::byte> upload(const Image& image) {
        DeviceBuffer<std::byte> pixels(memory_, image.bytes(), "a test's image");
        check(cudaMemcpyAsync(pixels.data(), image.data(), image.bytes(), cudaMemcpyHostToDevice, memory_->stream()),
              "upload");
        return pixels;
    }

    [[nodiscard]] std::vector<std::uint32_t> parentsOnDevice(const Image& image) {
        const auto pixels = upload(image);
        StageClock clock(memory_->stream());
        const auto parent =
            buildParentImage({pixels.data(), image.type(), image.width(), image.height()}, spec(), memory_, clock, {});
        std::vector<std::uint32_t> result(parent.size());
        check(cudaMemcpyAsync(result.data(), parent.data(), parent.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
              "download");
        check(cudaStreamSynchronize(memory_->stream()), "parent image");
        return result;
    }

    [[nodiscard]] static std::vector<std::uint32_t> parentsOnHost(const std::shared_ptr<const Image>& image) {
        const auto session = pollard::testing::cpuSession(image, spec().kind, spec().connectivity);
        const Buffer<std::uint32_t> parents = canonicalParentImage(*session->tree());
        return {parents.begin(), parents.end()};
    }

    std::shared_ptr<DeviceMemory> memory_;
};

TEST_P(ParentImageOnDevice, EqualsTheCpuEngineOnRandomImages) {
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        pollard::testing::Random random(seed);
        // Up to three tiles of every algorithm in both directions.
        const std::uint32_t width = 1 + random() % 170;
        const std::uint32_t height = 1 + random() % 90;
        const auto image = pollard::testing::randomImage(random, width, height);
        ASSERT_EQ(parentsOnDevice(*image), parentsOnHost(image)) << "seed " << seed;
    }
}

TEST_P(ParentImageOnDevice, EqualsTheCpuEngineOnLinesAndTileSizes) {
    pollard::testing::Random random(7);
    for (const auto& [width, height] : {std::pair{1U, 1U},
                                        {1U, 1000U},
                                        {1000U, 1U},
                                        {64U, 32U},
                                        {65U, 33U},
                                        {63U, 31U},
                                        {128U, 64U},
                                        {127U, 63U},
                                        {129U, 65U},
                                        {2U, 200U},
                                        {200U, 2U}}) {
        const auto image = pollard::testing::randomImage(random, width, height);
        ASSERT_EQ(parentsOnDevice(*image), parentsOnHost(image)) << width << " x " << height;
    }
}

TEST_P(ParentImageOnDevice, EqualsTheCpuEngineOnADeepTree) {
    const auto ramp = pollard::testing::makeImage(PixelType::u16, 512, 512, [](std::uint32_t x, std::uint32_t y) {
        return (y * 512 + (y % 2 == 0 ? x : 511 - x)) / 4;
    });
    ASSERT_EQ(parentsOnDevice(*ramp), parentsOnHost(ramp));
}

TEST_P(ParentImageOnDevice, IsTheSameInEveryRun) {
    pollard::testing::Random random(99);
    const auto noise =
        pollard::testing::makeImage(PixelType::u16, 700, 500, [&](auto, auto) { return random() & 0xffffU; });
    const auto first = parentsOnDevice(*noise);
    for (int run = 0; run < 5; ++run) {
        ASSERT_EQ(parentsOnDevice(*noise), first);
    }
}

TEST_P(ParentImageOnDevice, TakesNoMoreMemoryThanEstimated) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto pixels = upload(*pollard::testing::makeImage(type, 1003, 517, [](auto x, auto y) { return x ^ y; }));
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        StageClock clock(memory_->stream());
        const auto parent = buildParentImage({pixels.data(), type, 1003, 517}, spec(), memory_, clock, {});
        check(cudaStreamSynchronize(memory_->stream()), "parent image");
        EXPECT_LE(memory_->peakBytes() - before, estimateParentImageBytes(type, {1003, 517}, spec()));
    }
}

INSTANTIATE_TEST_SUITE_P(All, ParentImageOnDevice,
                         ::testing::Combine(::testing::ValuesIn(maxTreeAlgorithms()),
                                            ::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight),
                                            ::testing::Values(GridSimplification::on, GridSimplification::off)),
                         nameOfParam);

using ParentImageStop = OnGpu;

TEST_F(ParentImageStop, ComesSoonInADeepTree) {
    const auto memory = DeviceMemory::create();
    pollard::testing::Random random(1);
    const auto noise =
        pollard::testing::makeImage(PixelType::u16, 6000, 4000, [&](auto, auto) { return random() & 0xffffU; });
    DeviceBuffer<std::byte> pixels(memory, noise->bytes(), "a test's image");
    check(cudaMemcpy(pixels.data(), noise->data(), noise->bytes(), cudaMemcpyHostToDevice), "upload");
    std::stop_source stop;
    const JobControl control(stop.get_token());
    StageClock clock(memory->stream());
    const TreeSpec spec{TreeKind::max, Connectivity::four, "columns"};
    // The first use of a kernel loads it, which waits for running kernels.
    (void)buildParentImage({pixels.data(), PixelType::u16, 100, 100}, spec, memory, clock, control);
    const auto parent = buildParentImage({pixels.data(), PixelType::u16, 6000, 4000}, spec, memory, clock, control);
    std::chrono::steady_clock::time_point asked;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the joins are at work
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    EXPECT_THROW(waitFor(*memory, control, "tree"), Cancelled);
    const auto took = std::chrono::steady_clock::now() - asked;
    EXPECT_LT(took, std::chrono::milliseconds(100));
}

TEST(ParentImage, RefusesAnUnknownAlgorithm) {
    TreeSpec spec;
    spec.algorithm = "fastest";
    try {
        (void)estimateParentImageBytes(PixelType::u8, {10, 10}, spec);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable);
        EXPECT_NE(std::string(error.what()).find("columns"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace pollard::cuda

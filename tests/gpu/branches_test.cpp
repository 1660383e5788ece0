#include "branches/branch_build.hpp"
#include "branches/cuda_machine.hpp"
#include "branches/engine_tile.hpp"
#include "branches/tree_by_branches.hpp"

#include "device/levels.hpp"
#include "io/image_file.hpp"
#include "on_gpu.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

// The max-tree by branches on a device. That it equals the CPU engine's on random images of many sizes is tested for
// all algorithms alike, in parent_image_test.cpp and session_test.cpp; here is what only this one has.

namespace pollard::cuda {
namespace {

using pollard::testing::makeImage;
using pollard::testing::OnGpu;
using pollard::testing::Random;
using pollard::testing::randomImage;

using Param = std::tuple<TreeKind, Connectivity>;

class BranchesOnDevice : public OnGpu, public ::testing::WithParamInterface<Param> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (!IsSkipped()) {
            memory_ = DeviceMemory::create();
        }
    }

    [[nodiscard]] static TreeKind kind() { return std::get<TreeKind>(GetParam()); }
    [[nodiscard]] static bool eight() { return std::get<Connectivity>(GetParam()) == Connectivity::eight; }

    [[nodiscard]] static std::vector<std::uint32_t> expectedParents(const std::shared_ptr<const Image>& image) {
        const auto session = pollard::testing::cpuSession(image, kind(), std::get<Connectivity>(GetParam()));
        const Buffer<std::uint32_t> parents = canonicalParentImage(*session->tree());
        return {parents.begin(), parents.end()};
    }

    [[nodiscard]] DeviceBuffer<std::byte> upload(const Image& image) {
        DeviceBuffer<std::byte> pixels(memory_, image.bytes(), "a test's image");
        check(cudaMemcpyAsync(pixels.data(), image.data(), image.bytes(), cudaMemcpyHostToDevice, memory_->stream()),
              "upload");
        return pixels;
    }
    /// At the peak of treeByBranches(), the image not counted.
    [[nodiscard]] double treeBytesPerPixel(const Image& image) {
        const DeviceBuffer<std::byte> pixels = upload(image);
        StageClock clock(memory_->stream());
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        const DeviceTree tree = treeByBranches({pixels.data(), image.type(), image.width(), image.height()}, kind(),
                                               eight(), memory_, clock, {});
        return static_cast<double>(memory_->peakBytes() - before) / static_cast<double>(tree.pixelNode->size());
    }

    /// @param mayPack see BranchInput
    [[nodiscard]] std::vector<std::uint32_t> parents(const Image& image, bool mayPack = true) {
        const DeviceBuffer<std::byte> pixels = upload(image);
        StageClock clock(memory_->stream());
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        DeviceBuffer<std::uint32_t> parent;
        if (mayPack) {
            parent = parentsByBranches({pixels.data(), image.type(), image.width(), image.height()}, kind(), eight(),
                                       memory_, clock, {});
        } else {
            parent = dispatch(image.type(), [&]<class Level>(Level) {
                const BranchInput<Level> input{static_cast<const Level*>(static_cast<const void*>(pixels.data())),
                                               image.width(), image.height(), flipOf<Level>(kind()), false};
                CudaMachine machine(memory_, clock, control_, "test");
                return eight() ? BranchBuild<CudaMachine, Level, EngineTile, true>(machine, input).parents()
                               : BranchBuild<CudaMachine, Level, EngineTile, false>(machine, input).parents();
            });
        }
        std::vector<std::uint32_t> result(parent.size());
        check(cudaMemcpyAsync(result.data(), parent.data(), parent.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
              "download");
        check(cudaStreamSynchronize(memory_->stream()), "parent image");
        bytesPerPixel_ = static_cast<double>(memory_->peakBytes() - before) / static_cast<double>(result.size());
        return result;
    }

    std::shared_ptr<DeviceMemory> memory_;
    JobControl control_;
    double bytesPerPixel_ = 0; ///< of the last parents() at its peak, the image not counted
};

TEST_P(BranchesOnDevice, EqualTheCpuEngineWithPixelsBesideTheKeys) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Random random(3000 + seed);
        const auto image = randomImage(random, 1 + random() % 300, 1 + random() % 200);
        const auto expected = expectedParents(image);
        ASSERT_EQ(parents(*image, false), expected) << "seed " << seed;
        ASSERT_EQ(parents(*image, true), expected) << "seed " << seed;
    }
}

TEST_P(BranchesOnDevice, AreTheSameInEveryRun) {
    Random random(5);
    const auto noise = makeImage(PixelType::u16, 1500, 1100, [&](auto, auto) { return random() & 0xffffU; });
    const auto first = parents(*noise);
    ASSERT_EQ(first, expectedParents(noise));
    for (int run = 0; run < 20; ++run) {
        ASSERT_EQ(parents(*noise), first);
    }
}

TEST_P(BranchesOnDevice, TakeCombsWhoseComponentsAllHookToTheirNeighbour) {
    // Teeth whose saddles rise from one to the next, so that the chains of a round are as long as the image is wide.
    const auto comb = makeImage(PixelType::u16, 20000, 66, [](auto x, auto y) {
        return (x % 2 == 0 ? 40000U : 0U) + x + (x % 2 == 1 && y > 0 ? 0U : 1U);
    });
    ASSERT_EQ(parents(*comb), expectedParents(comb));
}

TEST_P(BranchesOnDevice, StayWithinThirtyTwoBytesAPixel) {
    // With the image, which takes two.
    Random random(6);
    const auto waves = makeImage(PixelType::u16, 2000, 1500,
                                 [&](auto x, auto y) { return (x * x / 40 + y * y / 30) % 30000 + random() % 300; });
    const auto noise = makeImage(PixelType::u16, 2000, 1500, [&](auto, auto) { return random() & 0xffffU; });
    for (const auto& image : {waves, noise}) {
        ASSERT_EQ(parents(*image), expectedParents(image));
        EXPECT_LE(bytesPerPixel_ + 2, 32);
        EXPECT_LE(treeBytesPerPixel(*image) + 2, 32);
    }
}

TEST_P(BranchesOnDevice, EqualTheCpuEngineOnFiles) {
    const char* const folder = std::getenv("POLLARD_BENCH_IMAGES");
    if (folder == nullptr) {
        GTEST_SKIP() << "POLLARD_BENCH_IMAGES names no folder of images";
    }
    int images = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".tif") {
            continue;
        }
        const std::shared_ptr<const Image> image = readImage(entry.path()).image;
        ASSERT_TRUE(parents(*image) == expectedParents(image)) << entry.path();
        RecordProperty(entry.path().stem().string(), std::to_string(bytesPerPixel_) + " bytes a pixel, the tree " +
                                                         std::to_string(treeBytesPerPixel(*image)));
        ++images;
    }
    EXPECT_GT(images, 0);
}

INSTANTIATE_TEST_SUITE_P(All, BranchesOnDevice,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)),
                         [](const auto& instance) {
                             return std::string(std::get<TreeKind>(instance.param) == TreeKind::max ? "max" : "min") +
                                    (std::get<Connectivity>(instance.param) == Connectivity::four ? "_4" : "_8");
                         });

} // namespace
} // namespace pollard::cuda

#include "cuda/boruvka/boruvka_tree.hpp"
#include "cuda/boruvka/branch_build.hpp"
#include "cuda/boruvka/branch_machine.hpp"
#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/boruvka/tile_work.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/session/cuda_session.hpp"
#include "io/image_file.hpp"
#include "on_gpu.hpp"
#include "support/random_images.hpp"
#include "tree_equality.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

// The max-tree `boruvka` on a device: tests of this algorithm only. parent_image_test.cpp and session_test.cpp
// compare all algorithms with the CPU engine on random images of many sizes.

namespace pollard::cuda {
namespace {

using pollard::testing::makeImage;
using pollard::testing::OnGpu;
using pollard::testing::Random;
using pollard::testing::randomImage;

using Param = std::tuple<TreeKind, Connectivity>;

class BoruvkaOnDevice : public OnGpu, public ::testing::WithParamInterface<Param> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (!IsSkipped()) {
            memory_ = DeviceMemory::create();
        }
    }

    [[nodiscard]] static TreeKind kind() { return std::get<TreeKind>(GetParam()); }
    [[nodiscard]] static bool eight() { return std::get<Connectivity>(GetParam()) == Connectivity::eight; }
    [[nodiscard]] static TreeSpec spec() { return {kind(), std::get<Connectivity>(GetParam()), {}}; }

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
    /// At the peak of boruvkaTree(), the image not counted.
    [[nodiscard]] double treeBytesPerPixel(const Image& image) {
        const DeviceBuffer<std::byte> pixels = upload(image);
        StageClock clock(memory_->stream());
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        const DeviceTree tree =
            boruvkaTree({pixels.data(), image.type(), image.width(), image.height()}, spec(), memory_, clock, {});
        return static_cast<double>(memory_->peakBytes() - before) / static_cast<double>(tree.pixelNode->size());
    }

    /// Builds with the given members of BranchInput.
    [[nodiscard]] std::vector<std::uint32_t> parents(const Image& image, bool mayPack, std::uint32_t trunkFrom) {
        const DeviceBuffer<std::byte> pixels = upload(image);
        StageClock clock(memory_->stream());
        return fetch(dispatch(image.type(), [&]<class Level>(Level) {
            const BranchInput<Level> input{static_cast<const Level*>(static_cast<const void*>(pixels.data())),
                                           image.extent(), flipOf<Level>(kind()), mayPack, trunkFrom};
            BranchMachine machine(memory_, clock, control_, "test");
            return eight()
                       ? BranchBuild<BranchMachine, Level, PlaneDomain<EngineTile, true>>(machine, input).parents()
                       : BranchBuild<BranchMachine, Level, PlaneDomain<EngineTile, false>>(machine, input).parents();
        }));
    }
    [[nodiscard]] std::vector<std::uint32_t> parents(const Image& image) {
        const DeviceBuffer<std::byte> pixels = upload(image);
        StageClock clock(memory_->stream());
        memory_->resetPeak();
        const std::uint64_t before = memory_->usedBytes();
        auto result = fetch(
            boruvkaParents({pixels.data(), image.type(), image.width(), image.height()}, spec(), memory_, clock, {}));
        bytesPerPixel_ = static_cast<double>(memory_->peakBytes() - before) / static_cast<double>(result.size());
        return result;
    }
    [[nodiscard]] std::vector<std::uint32_t> fetch(const DeviceBuffer<std::uint32_t>& parent) {
        std::vector<std::uint32_t> result(parent.size());
        check(cudaMemcpyAsync(result.data(), parent.data(), parent.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
              "download");
        check(cudaStreamSynchronize(memory_->stream()), "parent image");
        return result;
    }

    std::shared_ptr<DeviceMemory> memory_;
    JobControl control_;
    double bytesPerPixel_ = 0; ///< of the last parents() at its peak, the image not counted
};

TEST_P(BoruvkaOnDevice, EqualTheCpuEngineWithEveryKindOfKeysAndWithATrunkOrWithout) {
    constexpr std::uint32_t kNever = 0xffff'ffff;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Random random(3000 + seed);
        const auto image = randomImage(random, 1 + random() % 300, 1 + random() % 200);
        const auto expected = expectedParents(image);
        for (const bool mayPack : {false, true}) {
            ASSERT_EQ(parents(*image, mayPack, kNever), expected) << "seed " << seed << ", packed: " << mayPack;
            ASSERT_EQ(parents(*image, mayPack, 1), expected) << "seed " << seed << ", packed: " << mayPack;
        }
    }
}

TEST_P(BoruvkaOnDevice, GiveTheCpuEnginesTreesWhereTheTrunkIsNotSorted) {
    Random random(7);
    const auto noise = makeImage(PixelType::u16, 2900, 2900, [&](auto, auto) { return random() & 0xffffU; });
    const auto ground = makeImage(PixelType::u8, 4200, 2000, [&](auto x, auto y) {
        return x % 200 < 150 ? 90U : (random() + y / 8) & 0xffU; // three quarters have one level
    });
    for (const auto& image : {noise, ground}) {
        ASSERT_GE(image->pixelCount(), BranchInput<std::uint8_t>{}.trunkFrom);
        CudaSession session({});
        session.open(image);
        (void)session.buildTree({kind(), std::get<Connectivity>(GetParam()), "boruvka"}, {});
        const auto expected = pollard::testing::cpuSession(image, kind(), std::get<Connectivity>(GetParam()));
        ASSERT_NO_FATAL_FAILURE(pollard::testing::expectEqual(*session.tree(), *expected->tree()));
        const Buffer<std::uint32_t> expectedParents = canonicalParentImage(*expected->tree());
        const std::vector<std::uint32_t> actual = parents(*image);
        ASSERT_TRUE(std::equal(actual.begin(), actual.end(), expectedParents.begin(), expectedParents.end()));
    }
}

TEST_P(BoruvkaOnDevice, SortAllPixelsWhereNoBranchHasMany) {
    const auto stripes = makeImage(PixelType::u16, 1500, 1400, [](auto x, auto y) {
        return y % 40 == 0 ? x : 20000 + y / 40 * 300 + x % 100; // none in the max-tree
    });
    ASSERT_EQ(parents(*stripes, true, 1), expectedParents(stripes));
}

TEST_P(BoruvkaOnDevice, AreTheSameInEveryRun) {
    Random random(5);
    const auto noise = makeImage(PixelType::u16, 1500, 1100, [&](auto, auto) { return random() & 0xffffU; });
    const auto first = parents(*noise);
    ASSERT_EQ(first, expectedParents(noise));
    for (int run = 0; run < 20; ++run) {
        ASSERT_EQ(parents(*noise), first);
    }
}

TEST_P(BoruvkaOnDevice, TakeCombsWhoseComponentsAllHookToTheirNeighbour) {
    // Teeth whose saddles rise from one to the next, so that the chains of a round are as long as the image is wide.
    const auto comb = makeImage(PixelType::u16, 20000, 66, [](auto x, auto y) {
        return (x % 2 == 0 ? 40000U : 0U) + x + (x % 2 == 1 && y > 0 ? 0U : 1U);
    });
    ASSERT_EQ(parents(*comb), expectedParents(comb));
}

TEST_P(BoruvkaOnDevice, StayWithinThirtyTwoBytesAPixel) {
    // Includes the image, which takes two bytes per pixel.
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

TEST_P(BoruvkaOnDevice, EqualTheCpuEngineOnFiles) {
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

/// The image four times, mirrored so that the copies meet seamlessly, twice as wide and high.
std::shared_ptr<const Image> mosaicOf(const Image& image) {
    return dispatch(image.type(), [&]<class Level>(Level) {
        const std::size_t width = image.width();
        const std::size_t height = image.height();
        auto mosaic = std::make_shared<Image>(image.type(), 2 * image.width(), 2 * image.height());
        const auto from = image.pixels<Level>();
        const auto to = mosaic->pixels<Level>();
        for (std::size_t y = 0; y < 2 * height; ++y) {
            const std::size_t row = (y < height ? y : 2 * height - 1 - y) * width;
            for (std::size_t x = 0; x < width; ++x) {
                to[y * 2 * width + x] = from[row + x];
                to[y * 2 * width + 2 * width - 1 - x] = from[row + x];
            }
        }
        return std::shared_ptr<const Image>(std::move(mosaic));
    });
}

TEST_P(BoruvkaOnDevice, EqualTheCpuEngineOnMosaics) {
    const char* const folder = std::getenv("POLLARD_BENCH_IMAGES");
    if (folder == nullptr) {
        GTEST_SKIP() << "POLLARD_BENCH_IMAGES names no folder of images";
    }
    constexpr std::uint64_t kLarge = 20'000'000; // px; the mosaic has four times as many
    int images = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".tif") {
            continue;
        }
        const std::shared_ptr<const Image> image = readImage(entry.path()).image;
        if (image->pixelCount() < kLarge) {
            continue;
        }
        const auto mosaic = mosaicOf(*image);
        CudaSession session({});
        session.open(mosaic);
        const TreeReport report = session.buildTree({kind(), std::get<Connectivity>(GetParam()), "boruvka"}, {});
        const auto expected = pollard::testing::cpuSession(mosaic, kind(), std::get<Connectivity>(GetParam()));
        SCOPED_TRACE(entry.path());
        ASSERT_NO_FATAL_FAILURE(pollard::testing::expectEqual(*session.tree(), *expected->tree()));
        RecordProperty(entry.path().stem().string(), std::to_string(report.milliseconds) + " ms");
        ++images;
    }
    EXPECT_GT(images, 0);
}

TEST_P(BoruvkaOnDevice, TakeMorePixelsThanASignedNumberCounts) {
    // Bands of one image, with a row of the lowest level below each: every band's tree is the first one, moved.
    constexpr std::uint32_t kWidth = 50'000;
    constexpr std::uint32_t kRows = 1000;
    constexpr std::uint32_t kBands = 43;
    constexpr std::uint64_t kNeeded = std::uint64_t{70} << 30U;
    if (kind() == TreeKind::min) {
        GTEST_SKIP() << "the bands of the image are separate in a max-tree only";
    }
    if (memory_->available() < kNeeded) {
        GTEST_SKIP() << "takes 70 GiB of GPU memory";
    }
    Random random(11);
    const auto band = makeImage(PixelType::u8, kWidth, kRows, [&](auto x, auto y) {
        return y + 1 == kRows ? 0U : 1 + ((x / 5 * 2654435761U) ^ (y / 4 * 40503U)) % 251;
    });
    Image image(PixelType::u8, kWidth, kRows * kBands);
    const auto from = band->pixels<std::uint8_t>();
    const auto to = image.pixels<std::uint8_t>();
    for (std::uint32_t k = 0; k < kBands; ++k) {
        std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(k * from.size()));
    }
    const std::vector<std::uint32_t> expected = expectedParents(band);
    const std::vector<std::uint32_t> actual = parents(image);
    const auto size = static_cast<std::uint32_t>(from.size());
    const std::uint32_t root = size * kBands - 1;
    ASSERT_GT(root, std::uint32_t{1} << 31U);
    std::size_t wrong = 0;
    for (std::uint32_t k = 0; k < kBands; ++k) {
        for (std::uint32_t p = 0; p < size; ++p) {
            const std::uint32_t parent = expected[p] == size - 1 ? root : expected[p] + k * size;
            wrong += actual[std::size_t{k} * size + p] != parent ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, BoruvkaOnDevice,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)),
                         [](const auto& instance) {
                             return std::string(std::get<TreeKind>(instance.param) == TreeKind::max ? "max" : "min") +
                                    (std::get<Connectivity>(instance.param) == Connectivity::four ? "_4" : "_8");
                         });

} // namespace
} // namespace pollard::cuda

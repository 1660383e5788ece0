// Smaller volumes made of blocks of voxels, against a search of every block.
#include "image/volume_blocks.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pollard {
namespace {

template <class T> std::shared_ptr<Image> randomVolume(testing::Random& random, const Extent& extent) {
    const std::shared_ptr<Image> volume = std::make_shared<Image>(kPixelTypeOf<T>, extent);
    for (T& level : volume->pixels<T>()) {
        level = static_cast<T>(random() % 300);
    }
    return volume;
}

std::uint32_t upTo(testing::Random& random, std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % most) + 1;
}

template <class T> void expectExtrema(testing::Random& random) {
    const Extent extent{upTo(random, 9), upTo(random, 9), upTo(random, 9)};
    const BlockSides sides{upTo(random, 4), upTo(random, 4), upTo(random, 4)};
    const Extremum extremum = random() % 2 == 0 ? Extremum::largest : Extremum::smallest;
    const auto volume = randomVolume<T>(random, extent);
    std::vector<std::uint32_t> numbers(extent.pixelCount());
    std::ranges::generate(numbers, [i = 0U]() mutable { return i++; });
    const auto smaller = extremaOf(volume, sides, extremum);
    const Buffer<std::uint32_t> found = numbersAtExtrema(*volume, numbers, sides, extremum);
    const Extent blocks = blocksOf(extent, sides);
    ASSERT_EQ(smaller->extent(), blocks);
    std::vector<std::vector<std::uint32_t>> voxels(blocks.pixelCount());
    for (std::uint32_t i = 0; i < extent.pixelCount(); ++i) {
        const Voxel at = voxelAt(i, extent);
        voxels[(at.z / sides.z * blocks.height + at.y / sides.y) * blocks.width + at.x / sides.x].push_back(i);
    }
    for (std::size_t block = 0; block < voxels.size(); ++block) {
        const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
            return extremum == Extremum::largest ? volume->level(a) > volume->level(b)
                                                 : volume->level(a) < volume->level(b);
        };
        const std::uint32_t best = *std::ranges::min_element(voxels[block], isBefore);
        ASSERT_EQ(smaller->level(block), volume->level(best));
        ASSERT_EQ(found.data()[block], best) << "the first one";
    }
}

TEST(VolumeBlocks, HaveTheExtremeLevelOfTheirVoxels) {
    testing::Random random(3);
    for (int round = 0; round < 500; ++round) {
        ASSERT_NO_FATAL_FAILURE(expectExtrema<std::uint8_t>(random));
        ASSERT_NO_FATAL_FAILURE(expectExtrema<std::uint16_t>(random));
    }
}

TEST(VolumeBlocks, OfOneVoxelAreTheVolume) {
    testing::Random random(4);
    const auto volume = randomVolume<std::uint8_t>(random, {4, 3, 2});
    EXPECT_EQ(extremaOf(volume, {}, Extremum::largest), volume);
}

TEST(VolumeBlocks, KeepTheProportions) {
    testing::Random random(5);
    auto volume = randomVolume<std::uint8_t>(random, {8, 8, 4});
    volume->setSides({1, 1, 3});
    EXPECT_EQ(extremaOf(volume, {2, 4, 1}, Extremum::largest)->sides(), (VoxelSides{2, 4, 3}));
}

TEST(VolumeBlocks, FitTheLimits) {
    testing::Random random(6);
    for (int round = 0; round < 2000; ++round) {
        const Extent extent{upTo(random, 600), upTo(random, 600), upTo(random, 600)};
        const VoxelSides sides{1, 1, 0.5 * upTo(random, 10)};
        const std::uint64_t most = upTo(random, 3'000'000);
        const std::uint32_t longest = upTo(random, 700);
        const BlockSides blocks = blockSidesFor(extent, sides, most, longest);
        const Extent count = blocksOf(extent, blocks);
        ASSERT_LE(count.pixelCount(), most);
        ASSERT_LE(std::max({count.width, count.height, count.slices}), longest);
        if (extent.pixelCount() <= most && std::max({extent.width, extent.height, extent.slices}) <= longest) {
            ASSERT_TRUE(blocks.areVoxels());
        }
    }
    EXPECT_EQ(blockSidesFor({512, 512, 512}, {}, 1U << 24, 2048), (BlockSides{2, 2, 2}));
    EXPECT_EQ(blockSidesFor({512, 512, 64}, {1, 1, 5}, 1U << 22, 2048), (BlockSides{2, 2, 1})) << "nearly cubes";
    EXPECT_EQ(blockSidesFor({3000, 10, 10}, {}, 1U << 24, 2048), (BlockSides{2, 1, 1}));
}

TEST(VolumeBlocks, AreCancelled) {
    testing::Random random(7);
    const auto volume = randomVolume<std::uint8_t>(random, {64, 64, 64});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)extremaOf(volume, {2, 2, 2}, Extremum::largest, JobControl(stop.get_token())), Cancelled);
}

} // namespace
} // namespace pollard

#include "parts/chunk_part.hpp"
#include "parts/merge_parts.hpp"

#include "core/parts/part_jobs.hpp"
#include "core/parts/parts_filter.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>

namespace pollard {
namespace {

using namespace testing;

TEST(Parts, EqualTheWholeForRandomPicturesChunksAndOrders) {
    const int count = repeats(3000);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(24), 1 + jobs.below(24)});
        const PartJob job = jobs.job(*image, false);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

TEST(Parts, EqualTheWholeForRandomVolumes) {
    const int count = repeats(1500);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(9), 1 + jobs.below(9), 2 + jobs.below(6)});
        const PartJob job = jobs.job(*image, true);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

/// Components as long as the picture allows: their nodes are open in every chunk.
std::shared_ptr<Image> serpentine(std::uint32_t side, bool asComb) {
    auto image = std::make_shared<Image>(PixelType::u16, side, side);
    std::uint16_t level = 1;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t i = 0; i < side; ++i) {
            const std::uint32_t x = y % 4 == 0 ? i : side - 1 - i;
            const bool isTurn = y % 4 == 1 ? x + 1 == side : y % 4 == 3 && x == 0;
            const bool isPath = asComb ? y == 0 || x % 2 == 0 : y % 2 == 0 || isTurn;
            // Rising along the path, so that each pixel is a node.
            setLevel(*image, std::size_t{y} * side + x,
                     isPath ? static_cast<std::uint16_t>(asComb ? 1 + y * side + x : ++level) : std::uint16_t{0});
        }
    }
    return image;
}

TEST(Parts, EqualTheWholeForSerpentinesAndCombs) {
    for (const bool asComb : {false, true}) {
        const auto image = serpentine(41, asComb);
        for (const Rule rule : kAllRules) {
            FilterSpec filter;
            filter.criteria = {parseCriterion("area>=300"), parseCriterion("elongation<=30")};
            filter.match = Match::any;
            filter.rule = rule;
            for (const std::uint32_t chunk : {1U, 3U, 16U}) {
                const PartJob job = partJob(ChunkGrid(image->extent(), {chunk, chunk}), image->type(), TreeKind::max,
                                            Connectivity::four, filter);
                std::mt19937 random(chunk);
                ASSERT_EQ(PartsFilter(*image, job, random).run(), inOnePiece(image, job)) << describe(job);
            }
        }
    }
}

TEST(Parts, HaveCoordinatesOfPicturesBeyond32Bits) {
    FilterSpec filter;
    filter.criteria = {parseCriterion("392007.5<=centroid_x<=392007.5"),
                       parseCriterion("248003.5<=centroid_y<=248003.5")};
    filter.output = Output::labels;
    const PartJob job =
        partJob(ChunkGrid({400'000, 250'000}, {8, 8}), PixelType::u8, TreeKind::max, Connectivity::four, filter);
    const std::uint64_t left = std::uint64_t{31'000} * job.grid.across() + 49'000;
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    const auto part = [&](std::uint64_t chunk, std::uint32_t x) { // half of an object of 4 x 2 px
        auto image = std::make_shared<Image>(PixelType::u8, 8U, 8U);
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            setLevel(*image, p, (p / 8 == 3 || p / 8 == 4) && p % 8 >= x && p % 8 < x + 2 ? 200 : 10);
        }
        return ChunkTree(job, {chunk, image, nullptr}, *session, "", {}).part({});
    };
    const Part one = part(left, 6);
    const Part other = part(left + 1, 0);
    const std::array parts{&one, &other};
    MergeStep step;
    const Part merged = mergeParts(job, parts, step);
    EXPECT_EQ(merged.nodeCount(), 1U);
    ASSERT_EQ(step.nodeCount(), 2U);
    EXPECT_EQ(step.bits[1], NodeBits::kKept | NodeBits::kMeets);
    EXPECT_EQ(step.first[1], std::uint64_t{248'003} * 400'000 + 392'006);
}

} // namespace
} // namespace pollard

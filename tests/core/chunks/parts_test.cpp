#include "chunks/chunk_trees.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/part_files.hpp"

#include "core/chunks/part_jobs.hpp"
#include "core/chunks/parts_filter.hpp"
#include "support/affordable.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

TEST(Parts, EqualTheWholeForRandomImagesChunksAndOrders) {
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

/// Components as long as the image allows: their nodes are open in every chunk.
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

TEST(Parts, HaveCoordinatesOfImagesBeyond32Bits) {
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

/// Files of a part and of the step of two parts.
class PartFiles : public ::testing::Test {
protected:
    static constexpr std::uint64_t kIdentity = 17;

    [[nodiscard]] Part partOf(std::uint64_t chunk) const {
        const std::shared_ptr<const Image> image = cut(*image_, job_.grid.boxOf(chunk), 0);
        return ChunkTree(job_, {chunk, image, nullptr}, *session_, "", {}).part({});
    }
    /// The problem of a file; empty if there is none. @param read is called with its bytes
    template <class Read> static std::string problemOf(const std::vector<std::byte>& bytes, const Read& read) {
        try {
            read(RecordSource(bytes, "p"));
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::fileDamaged);
            return error.what();
        }
    }
    template <class Change> [[nodiscard]] std::string problemOfPart(const Change& change) const {
        Part part = partOf(0);
        change(part);
        std::vector<std::byte> bytes;
        writePart(bytes, kIdentity, part);
        return problemOf(bytes, [this](const RecordSource& source) { (void)readPart(source, kIdentity, job_); });
    }
    template <class Change> [[nodiscard]] std::string problemOfStep(const Change& change) const {
        const Part one = partOf(0);
        const Part other = partOf(1);
        const std::array parts{&one, &other};
        MergeStep step;
        (void)mergeParts(job_, parts, step);
        change(step);
        std::vector<std::byte> bytes;
        writeStep(bytes, kIdentity, step);
        return problemOf(bytes, [this](const RecordSource& source) { (void)readStep(source, kIdentity, job_); });
    }

    static constexpr const char* kContradicts = "cannot read part: p: contradicts itself";
    std::shared_ptr<Image> image_ = RandomJobs(1).image({8, 8});
    PartJob job_ = partJob(ChunkGrid(image_->extent(), {4, 4}), image_->type(), TreeKind::max, Connectivity::four, {});
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_ = engine_->openSession();
};

TEST_F(PartFiles, OfPartsDoNotContradictThemselves) {
    EXPECT_EQ(problemOfPart([](const Part& part) {
                  ASSERT_GT(part.nodeCount(), 1U);
                  ASSERT_FALSE(part.seams.empty());
              }),
              "");
    EXPECT_EQ(problemOfPart([](Part& part) { part.parent[0] = 0; }), kContradicts) << "a node is no parent of itself";
    EXPECT_EQ(problemOfPart([](Part& part) { part.parent = Buffer<std::uint32_t>(part.nodeCount() - 1); }),
              kContradicts);
    EXPECT_EQ(problemOfPart([](Part& part) { part.seams[0].node[0] = static_cast<std::uint32_t>(part.nodeCount()); }),
              kContradicts)
        << "a pixel of no node";
    EXPECT_EQ(problemOfPart([](Part& part) { part.seams[0].node = Buffer<std::uint32_t>(0); }), kContradicts);
    EXPECT_EQ(problemOfPart([this](Part& part) { part.seams[0].chunk = job_.grid.count(); }), kContradicts);
    EXPECT_EQ(problemOfPart([this](Part& part) { part.seams[0].chunk = job_.grid.count() - 1; }), kContradicts)
        << "the last chunk has no neighbour behind it";
    EXPECT_EQ(problemOfPart([](Part& part) { part.seams[0].direction.index = Direction::kCount; }), kContradicts);
}

TEST_F(PartFiles, OfStepsDoNotContradictThemselves) {
    const auto firstOpen = [](MergeStep& step) -> std::uint32_t& {
        return *std::ranges::find(step.openNode.span(), 0U);
    };
    EXPECT_EQ(problemOfStep([](const MergeStep&) {}), "");
    EXPECT_EQ(problemOfStep([](MergeStep& step) { step.parent[0] = 0; }), kContradicts);
    EXPECT_EQ(problemOfStep([&](MergeStep& step) { firstOpen(step) = 1; }), kContradicts) << "open nodes are counted";
    EXPECT_EQ(
        problemOfStep([](MergeStep& step) { step.nodeOfInput[1][0] = static_cast<std::uint32_t>(step.nodeCount()); }),
        kContradicts);
}

TEST_F(PartFiles, BelongToOneJobAndEndWithTheirSections) {
    std::vector<std::byte> bytes;
    writePart(bytes, kIdentity, partOf(0));
    const auto read = [&](std::uint64_t identity) {
        return problemOf(bytes, [&](const RecordSource& source) { (void)readPart(source, identity, job_); });
    };
    EXPECT_EQ(read(kIdentity), "");
    EXPECT_THAT(read(kIdentity + 1), ::testing::HasSubstr("belongs to another job"));
    EXPECT_THAT(problemOf(bytes, [&](const RecordSource& source) { (void)readStep(source, kIdentity, job_); }),
                ::testing::HasSubstr("another kind of part"));
    bytes.push_back({});
    EXPECT_THAT(read(kIdentity), ::testing::HasSubstr("has more bytes than its sections"));
}

} // namespace
} // namespace pollard

#include "chunks/merge/merge_parts.hpp"

#include "core/chunks/part_jobs.hpp"
#include "core/chunks/parts_filter.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

/// A random job with lower bounds of increasing attributes alone.
PartJob increasingJob(RandomJobs& jobs, const Image& image, bool isVolume) {
    const PartJob any = jobs.job(image, isVolume);
    std::vector<AttributeId> measured;
    for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
        if (isKnownAtClosing(info.id, isVolume) && attributeInfo(info.id).increasing) {
            measured.push_back(info.id);
        }
    }
    FilterSpec spec = any.filter;
    spec.prominent.reset();
    spec.criteria.clear();
    for (std::uint32_t i = jobs.below(3) + 1; i > 0; --i) {
        Criterion criterion;
        criterion.attribute = measured[jobs.below(static_cast<std::uint32_t>(measured.size()))];
        criterion.minimum = std::ldexp(1.0 + jobs.below(3), static_cast<int>(jobs.below(jobs.below(3) == 0 ? 16 : 5)));
        spec.criteria.push_back(criterion);
    }
    return partJob(any.grid, any.type, any.kind, any.connectivity, spec);
}

/// Results that are equal with and without cuts.
void expectEqual(const Outcome& inParts, const Outcome& whole, const std::string& what) {
    ASSERT_EQ(inParts.pixels, whole.pixels) << what;
    ASSERT_EQ(inParts.labels, whole.labels) << what;
    ASSERT_EQ(inParts.nodes - inParts.kept, whole.nodes - whole.kept) << what;
}

void expectExactCuts(int count, bool isVolume) {
    std::uint64_t open = 0;
    std::uint64_t left = 0;
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = isVolume ? jobs.image({1 + jobs.below(9), 1 + jobs.below(9), 2 + jobs.below(6)})
                                    : jobs.image({1 + jobs.below(24), 1 + jobs.below(24)});
        const PartJob job = increasingJob(jobs, *image, isVolume);
        ASSERT_TRUE(canBeCut(job)) << describe(job);
        PartsFilter filter(*image, job, jobs.random(), true);
        const Outcome cut = filter.run();
        ASSERT_NO_FATAL_FAILURE(expectEqual(cut, inOnePiece(image, job), std::to_string(i) + ": " + describe(job)));
        open += filter.open();
        left += filter.left();
    }
    EXPECT_LT(left, open) << "cuts drop nodes";
}

TEST(PartCut, IsExactForRandomImagesChunksAndOrders) { expectExactCuts(repeats(4000), false); }

TEST(PartCut, IsExactForRandomVolumes) { expectExactCuts(repeats(1500), true); }

TEST(PartCut, IsForLowerBoundsOfIncreasingAttributesAlone) {
    const auto jobOf = [](std::vector<const char*> criteria) {
        FilterSpec filter;
        std::ranges::transform(criteria, std::back_inserter(filter.criteria), parseCriterion);
        return partJob(ChunkGrid({8, 8}, {4, 4}), PixelType::u8, TreeKind::max, Connectivity::four, filter);
    };
    for (const char* increasing : {"area>=5", "width>=2", "height_px>=2", "bbox_area>=4", "bbox_diagonal>=2.5",
                                   "border>=3", "height>=4", "volume>=9", "descendants>=2", "leaves>=2"}) {
        EXPECT_TRUE(canBeCut(jobOf({increasing}))) << increasing;
        EXPECT_TRUE(canBeCut(jobOf({increasing, "area>=3"}))) << increasing;
        EXPECT_FALSE(canBeCut(jobOf({increasing, "mean>=3"}))) << increasing;
    }
    for (const char* other : {"area<=5", "2<=area<=9", "sum>=4", "mean>=4", "contrast>=2", "children>=2", "euler>=1",
                              "depth>=2", "dynamics>=3", "extinction_area>=4"}) {
        EXPECT_FALSE(canBeCut(jobOf({other}))) << other;
    }
    EXPECT_FALSE(canBeCut(jobOf({})));
    PartJob prominent = jobOf({"area>=5"});
    prominent.filter.prominent = Prominent{Prominence::dynamics, 3};
    EXPECT_FALSE(
        canBeCut(partJob(prominent.grid, prominent.type, prominent.kind, prominent.connectivity, prominent.filter)));
    EXPECT_FALSE(canBeCut(measuringJob(ChunkGrid({8, 8}, {4, 4}), PixelType::u8, TreeKind::max, Connectivity::four,
                                       {AttributeId::area})));
}

/// Teeth of ramps that rise from the first row to the last, with valleys between them.
std::shared_ptr<Image> rampComb(std::uint32_t width, std::uint32_t height) {
    auto image = std::make_shared<Image>(PixelType::u16, width, height);
    for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
        const bool isTooth = p % width % 2 == 0 || p < width;
        setLevel(*image, p, isTooth ? static_cast<std::uint16_t>(1 + p / width * width + p % width) : std::uint16_t{0});
    }
    return image;
}

TEST(PartCut, BoundsTheOpenNodesOfAComb) {
    constexpr std::uint32_t kSide = 200;
    const auto image = rampComb(kSide, kSide);
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    for (const std::uint32_t area : {1U, 4U, 30U}) {
        FilterSpec filter;
        filter.criteria = {Criterion{AttributeId::area, static_cast<double>(area)}};
        const PartJob job = partJob(ChunkGrid(image->extent(), {kSide, kSide / 2}), image->type(), TreeKind::max,
                                    Connectivity::four, filter);
        std::array<CutPart, 2> cuts;
        for (std::uint64_t chunk = 0; chunk < 2; ++chunk) {
            const ChunkTree tree(job, {chunk, cut(*image, job.grid.boxOf(chunk), 0), nullptr}, *session, "", {});
            const Part part = tree.part({});
            if (chunk == 0) {
                EXPECT_GT(part.nodeCount(), kSide * kSide / 5) << "all pixels of teeth are open";
            }
            cuts.at(chunk) = cutPart(job, part);
            EXPECT_LE(cuts.at(chunk).part.nodeCount(), kSide * area);
        }
        const std::array parts{&std::as_const(cuts[0].part), &std::as_const(cuts[1].part)};
        MergeStep step;
        EXPECT_TRUE(mergeParts(job, parts, step).isWhole());
    }
}

} // namespace
} // namespace pollard

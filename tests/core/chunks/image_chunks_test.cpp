// How images are read for filters in chunks, and the values that they measure.

#include "chunks/image_chunks.hpp"
#include "chunks/part_job.hpp"
#include "core/io/io_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace pollard {
namespace {

using test::TempDir;

FilterSpec filterBy(const char* criterion) {
    FilterSpec filter;
    filter.criteria = {parseCriterion(criterion)};
    return filter;
}

TEST(ImageChunks, AreReadEvenlyMappedWhereDistancesOfLevelsCount) {
    for (const char* criterion :
         {"height>=3", "mean<=2", "volume>=9", "sum>=1", "dynamics>=2", "extinction_volume>=2"}) {
        EXPECT_TRUE(needsProportionalInChunks(filterBy(criterion))) << criterion;
    }
    for (const char* criterion : {"area>=3", "level>=3", "extinction_area>=2", "leaves<=9"}) {
        FilterSpec filter = filterBy(criterion);
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
        filter.prominent = Prominent{Prominence::extinctionArea, 3};
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
        filter.prominent->measure = Prominence::dynamics;
        EXPECT_TRUE(needsProportionalInChunks(filter)) << criterion;
        filter = filterBy(criterion);
        filter.rule = Rule::subtractive;
        EXPECT_TRUE(needsProportionalInChunks(filter)) << criterion;
        filter.output = Output::labels;
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
    }
}

TEST(ImageChunks, HaveBoundsInLevelsAndSumsInValues) {
    const TempDir dir;
    const std::vector<std::int16_t> samples{-1000, 40, 300, 1200, -7, 0};
    std::string bytes(samples.size() * sizeof samples[0], '\0');
    std::memcpy(bytes.data(), samples.data(), bytes.size());
    test::writeBytes(dir / "ct.raw", bytes);
    ChunkRequest request;
    request.source = dir / "ct.raw";
    request.read.raw = RawLayout{3, 2, RawLayout::SampleType::i16};
    request.memory = std::uint64_t{1} << 28;
    request.filter = filterBy("level>=300");
    const ImageChunks chunks(request, {});
    const auto& mapping = chunks.regions->info().mapping;
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->valueOf(chunks.job.filter.criteria.at(0).minimum), 300);
    const ImageChunks again(request, chunks.plan(), {});
    EXPECT_EQ(again.job.filter.criteria.at(0).minimum, chunks.job.filter.criteria.at(0).minimum);
    EXPECT_FALSE(chunks.job.sums) << "the filter needs none";

    request.filter = filterBy("sum>=300");
    const ImageChunks summed(request, {});
    const ImageChunks planned(request, summed.plan(), {});
    for (const ImageChunks* each : {&summed, &planned}) {
        ASSERT_TRUE(each->job.sums);
        // The levels of -1000 and 40 are 31,768 and 32,808.
        EXPECT_EQ(each->job.sums->of(2, 31'768 + 32'808), -960);
        EXPECT_EQ(each->job.filter.criteria.at(0).minimum, 300);
    }
    PartJob job = measuringJob(summed.job.grid, PixelType::u16, TreeKind::max, Connectivity::four, {AttributeId::sum});
    Summaries sums(job.needs, 1);
    sums.of<PixelCount>()[0] = 2;
    sums.of<LevelTotal>()[0] = 31'768 + 32'808;
    double value = 0;
    measureNode(job, sums, 0, 31'768, 31'768, {&value, 1});
    EXPECT_EQ(value, 64'576) << "of levels";
    job.measureValues(mapping);
    measureNode(job, sums, 0, 31'768, 31'768, {&value, 1});
    EXPECT_EQ(value, -960);
}

} // namespace
} // namespace pollard
